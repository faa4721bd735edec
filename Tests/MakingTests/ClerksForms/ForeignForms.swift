// Forms in German, French, Canadian French, Spanish and British English. `ClerksForm` tells how they are read.

let foreignForms = [
    """
    form SEPA-Lastschriftmandat · left · text · de
    # Zahlungsempfänger
    zname: Name | zanschrift: Anschrift | glid: Gläubiger-Identifikationsnummer
    ref: Mandatsreferenz
    # Kontoinhaber
    kname: Vorname und Name | kstr: Straße und Hausnummer | kplz: PLZ | kort: Ort
    iban: IBAN {22 comb} | bic: BIC {11} | bank: Kreditinstitut
    ortdatum: Ort, Datum
    list
    Kontoinhaber = Änne Müller; Jörg Weiß -> kname
    Straße = Ulmenweg 3; Am Markt 9 -> kstr
    PLZ = 53111; 80331 -> kplz
    Ort = Bonn; München -> kort
    IBAN = DE02120300000000202051; DE02500105170137075030 -> iban
    BIC = BYLADEM1001; INGDDEFFXXX -> bic
    Bank = Erste Bank; Ulmenbank -> bank
    Mandatsref. = M-1; M-2 -> ref
    list
    Vorname = Änne; Jörg -> kname
    Nachname = Müller; Weiß -> kname
    Str. = Ulmenweg 3; Am Markt 9 -> kstr
    Postleitzahl = 53111; 80331 -> kplz
    Wohnort = Bonn; München -> kort
    """,
    """
    form Mitgliedsantrag Sportverein · above · text · de
    # Mitglied
    vor: Vorname | nach: Nachname | geb: Geburtsdatum {2-2-4}
    m: männlich {box} | w: weiblich {box}
    str: Straße, Hausnummer | plz: PLZ | ort: Ort
    tel: Telefon | mobil: Mobil | mail: E-Mail
    abt: Abteilung | ein: Eintrittsdatum
    # Gesetzlicher Vertreter (bei Minderjährigen)
    gname: Name | gtel: Telefon
    # SEPA-Mandat
    inh: Kontoinhaber | iban: IBAN
    # Wird vom Verein ausgefüllt
    nr: Mitgliedsnummer | bei: Beitrag
    list
    Vorname = Änne; Jörg -> vor
    Name = Müller; Weiß -> nach
    Geburtsdatum = 10.12.2015; 02.01.2014 -> geb.1="10" geb.2="12" geb.3="2015"
    Geschlecht = weiblich; männlich -> m w
    Straße = Ulmenweg 3; Am Markt 9 -> str
    PLZ = 53111; 80331 -> plz
    Ort = Bonn; München -> ort
    Handy = 0171 123; 0172 456 -> mobil
    Email = aenne@example.org; joerg@example.org -> mail
    Sparte = Turnen; Judo -> ?abt
    IBAN = DE02120300000000202051; DE02500105170137075030 -> iban
    Erziehungsberechtigter = Eva Müller; Ina Weiß -> ?gname
    list
    Name, Vorname = "Müller, Änne"; "Weiß, Jörg" -> vor="Änne" nach="Müller"
    geb. am = 10.12.2015; 02.01.2014 -> geb.1 geb.2 geb.3
    Anschrift = Ulmenweg 3, 53111 Bonn; Am Markt 9, 80331 München -> str="Ulmenweg 3" plz="53111" ort="Bonn"
    Tel. = 0228 123; 089 456 -> tel
    Abteilung = Turnen; Judo -> abt
    """,
    """
    form Patientenaufnahme · left · snake · de
    # Patient
    nach: Name {name=patient_name} | vor: Vorname {name=patient_vorname} | geb: Geburtsdatum {name=patient_geb}
    str: Straße {name=patient_strasse} | plz: PLZ {name=patient_plz} | ort: Wohnort {name=patient_ort} | tel: Telefon {name=patient_tel}
    kasse: Krankenkasse {name=krankenkasse} | vnr: Versichertennummer {name=versicherten_nr}
    # Versicherter (falls nicht Patient)
    hnach: Name {name=versicherter_name} | hgeb: Geburtsdatum {name=versicherter_geb}
    # Hausarzt
    arzt: Name {name=hausarzt_name} | aort: Ort {name=hausarzt_ort}
    # Im Notfall zu benachrichtigen
    nname: Name {name=notfall_name} | ntel: Telefon {name=notfall_tel}
    list
    Nachname = Müller; Weiß -> nach
    Vorname = Änne; Jörg -> vor
    Geb.-Dat. = 10.12.1985; 02.01.1984 -> geb
    Strasse = Ulmenweg 3; Am Markt 9 -> str
    PLZ = 53111; 80331 -> plz
    Ort = Bonn; München -> ort
    Tel = 0228 123; 089 456 -> tel
    Kasse = AOK; TK -> kasse
    Vers.-Nr. = A123; B456 -> ?vnr
    Hausarzt = Dr. Grau; Dr. Blau -> arzt
    Notfallkontakt = Udo Müller; Ina Weiß -> nname
    """,
    """
    form Autorisation parentale · left · text · fr
    # Enfant
    nom: Nom de famille | prenom: Prénom | naiss: Date de naissance | niveau: Niveau scolaire
    allergies: Allergies | medic: Médicaments
    # Parent ou tuteur
    pnom: Nom | ppre: Prénom | ptel: Téléphone | pcour: Courriel
    adr: Adresse | ville: Ville | prov: Province | cp: Code postal
    # Personne à joindre en cas d'urgence
    unom: Nom | utel: Téléphone | ulien: Lien avec l'enfant
    sortie: Sortie | dsortie: Date de la sortie
    list
    Nom de l'enfant = Dupont; Léger -> nom
    Prénom de l'enfant = Zoé; Rémi -> prenom
    Date de naissance = 2015-12-10; 2014-01-02 -> naiss
    Allergies = noix; aucune -> allergies
    Nom du parent = Dupont; Léger -> pnom
    Prénom du parent = Anne; Luc -> ppre
    Tél. parent = 514 555-0100; 418 555-0111 -> ptel
    Courriel parent = anne@example.org; luc@example.org -> pcour
    Ville = Laval; Lévis -> ville
    Code postal = H1H 1H1; G1G 1G1 -> cp
    Urgence = Marie Roy; Jean Côté -> unom
    Tél. urgence = 514 555-0199; 418 555-0188 -> utel
    list
    nom_eleve = Dupont; Léger -> nom
    prenom_eleve = Zoé; Rémi -> prenom
    ddn = 2015-12-10; 2014-01-02 -> naiss
    telephone = 514 555-0100; 418 555-0111 -> ptel
    sortie = Musée; Zoo -> sortie
    date_sortie = 2026-05-06; 2026-06-07 -> dsortie
    """,
    """
    form Demande d'allocation · above · text · fr
    # Demandeur
    nom: Nom | pre: Prénom(s) | naiss: Date de naissance | nas: Numéro d'assurance sociale
    adr: Adresse | app: App. | ville: Ville | cp: Code postal | tel: Téléphone
    # Conjoint
    cnom: Nom | cpre: Prénom(s) | cnaiss: Date de naissance | cnas: Numéro d'assurance sociale
    # Enfants à charge
    @3 enf: Nom et prénom | Date de naissance | Sexe
    # Réservé à l'administration
    dossier: N° de dossier | recu: Reçu le
    list
    Nom = Dupont; Léger -> nom
    Prénom = Zoé; Rémi -> pre
    Date naissance = 1985-12-10; 1984-01-02 -> naiss
    NAS = 123 456 782; 234 567 893 -> nas
    Adresse = 3 rue des Ormes; 9 rue du Marché -> adr
    Appartement = 3; 4b -> app
    Ville = Laval; Lévis -> ville
    Code postal = H1H 1H1; G1G 1G1 -> cp
    Téléphone = 514 555-0100; 418 555-0111 -> tel
    Nom conjoint = Roy; Côté -> cnom
    Prénom conjoint = Marc; Jean -> cpre
    """,
    """
    form Solicitud de inscripción · left · text · es
    # Datos del alumno
    ap: Apellido paterno | am: Apellido materno | nom: Nombre(s)
    nac: Fecha de nacimiento | lugar: Lugar de nacimiento | curp: CURP {18}
    grado: Grado | grupo: Grupo | sexo: Sexo
    # Domicilio
    calle: Calle y número | col: Colonia | mun: Municipio | edo: Estado | cp: C.P.
    # Padre o tutor
    pnom: Nombre completo | pocu: Ocupación | ptel: Teléfono celular | pcor: Correo electrónico
    # Madre o tutora
    mnom: Nombre completo | mocu: Ocupación | mtel: Teléfono celular
    # En caso de emergencia avisar a
    enom: Nombre | etel: Teléfono
    list
    Apellido Paterno = Peña; Mora -> ap
    Apellido Materno = Gil; Sanz -> am
    Nombre = Zoe; Raúl -> nom
    Fecha Nac. = 10/12/2015; 02/01/2014 -> nac
    CURP = PEGZ151210MDFXXX01; MOSR140102HDFXXX02 -> curp
    Grado = 3; 4 -> grado
    Grupo = A; B -> grupo
    Calle = Olmo 3; Roble 9 -> calle
    Colonia = Centro; Roma -> col
    Municipio = Puebla; Toluca -> mun
    Estado = Puebla; México -> edo
    CP = 72000; 50000 -> cp
    Padre = Luis Peña; Juan Mora -> pnom
    Celular padre = 222 555 0100; 722 555 0111 -> ptel
    Madre = Ana Gil; Eva Sanz -> mnom
    Ocupación madre = Maestra; Doctora -> mocu
    list
    NOMBRE_ALUMNO = Zoe; Raúl -> nom
    FECHA_NACIMIENTO = 10/12/2015; 02/01/2014 -> nac
    SEXO = M; H -> sexo
    TUTOR = Luis Peña; Juan Mora -> ?pnom
    TELEFONO = 222 555 0100; 722 555 0111 -> none
    EMERGENCIA = Rosa Gil; Paco Sanz -> enom
    """,
    """
    form Poder notarial · above · text · es
    # Poderdante
    pnom: Nombre y apellidos | pdni: DNI | pdom: Domicilio | pnac: Nacionalidad
    # Apoderado
    anom: Nombre y apellidos | adni: DNI | adom: Domicilio
    # Notario
    nnom: Nombre | nciu: Ciudad | nfec: Fecha
    list
    Poderdante = Zoe Peña; Raúl Mora -> pnom
    DNI poderdante = 12345678Z; 87654321X -> pdni
    Domicilio poderdante = Olmo 3, 28001 Madrid; Roble 9, 41001 Sevilla -> pdom
    Apoderado = Ana Gil; Eva Sanz -> anom
    DNI apoderado = 11111111H; 22222222J -> adni
    Nacionalidad = española; peruana -> pnac
    """,
    """
    form GP registration · cell · text · gb
    # Patient's details
    title: Title | sur: Surname | first: First names | prev: Previous surname(s)
    dob: Date of birth {2-2-4} | nhs: NHS No. | male: Male {box} | female: Female {box}
    town: Town and country of birth
    addr: Home address | pc: Postcode | tel: Telephone number
    # Your previous address in the UK
    paddr: Address | ppc: Postcode
    pgp: Name of previous GP practice | pgpaddr: Address of previous GP practice
    # Doctor use only
    gp: GP name | code: Code
    list
    Title = Ms; Mrs -> title
    Surname = @last -> sur
    Forenames = @first -> first
    DOB = 10/12/1980; 02/01/1979 -> dob.1="10" dob.2="12" dob.3="1980"
    NHS Number = 943 476 5919; 943 476 5870 -> nhs
    Sex = Female; Male -> male female
    Address = 12 Elm Road; 9 Oak Lane -> addr
    Postcode = LS1 4AB; YO1 7HH -> pc
    Tel. = 0113 496 0100; 01904 960111 -> tel
    Previous Address = 1 Fir Road; 2 Ash Lane -> paddr
    Previous GP = Dr Grey; Dr Who -> pgp
    list
    SURNAME = @last -> sur
    FIRST NAME(S) = @first -> first
    POST CODE = LS1 4AB; YO1 7HH -> pc
    NHS NO = 943 476 5919; 943 476 5870 -> nhs
    COUNTRY = UK; UK -> none
    """,
    """
    form Meldebogen zur Veranstaltung · left · camel · de · held
    # Teilnehmer
    nach: Nachname {name=TNNachname} | vor: Vorname {name=TNVorname} | geb: Geburtstag {name=TNGeb}
    str: Straße {name=TNStrasse} | plz: PLZ {name=TNPlz} | ort: Ort {name=TNOrt}
    mail: E-Mail {name=TNMail} | tel: Telefon {name=TNTelefon} | essen: Verpflegung {name=Verpflegung}
    # Rechnung an (falls abweichend)
    firma: Firma {name=ReFirma} | rstr: Straße {name=ReStrasse} | rort: Ort {name=ReOrt}
    # Notfallkontakt
    nname: Name {name=NotName} | ntel: Telefon {name=NotTelefon}
    list
    Name = Müller; Weiß -> nach
    Vorname = Änne; Jörg -> vor
    Geb.Datum = 10.12.1985; 02.01.1984 -> geb
    Strasse = Ulmenweg 3; Am Markt 9 -> str
    PLZ = 53111; 80331 -> plz
    Wohnort = Bonn; München -> ort
    Mail = aenne@example.org; joerg@example.org -> mail
    Telefon = 0228 123; 089 456 -> tel
    Verpflegung = vegan; alles -> essen
    Notfallnummer = 0228 999; 089 999 -> ?ntel
    """,
    """
    form Contrat de travail · above · snake · fr · held
    # L'employeur
    esoc: Raison sociale {name=employeur_societe} | eadr: Adresse {name=employeur_adresse} | erep: Représenté par {name=employeur_representant}
    # Le salarié
    nom: Nom {name=salarie_nom} | pre: Prénom {name=salarie_prenom} | naiss: Né(e) le {name=salarie_naissance} | lieu: à {name=salarie_lieu}
    adr: Adresse {name=salarie_adresse} | secu: N° de sécurité sociale {name=salarie_secu} | nat: Nationalité {name=salarie_nationalite}
    poste: Poste {name=poste} | debut: Date d'embauche {name=date_embauche} | sal: Salaire brut mensuel {name=salaire}
    list
    Nom = Dupont; Léger -> nom
    Prénom = Zoé; Rémi -> pre
    Date de naissance = 10/12/1985; 02/01/1984 -> naiss
    Adresse = 3 rue des Ormes, 75001 Paris; 9 place du Marché, 69002 Lyon -> adr
    N° Sécu = 285127500100123; 184016900200145 -> secu
    Nationalité = française; belge -> nat
    Poste = Comptable; Vendeur -> poste
    Embauche = 01/02/2026; 01/03/2026 -> debut
    Salaire = 2100; 2300 -> sal
    """,
    """
    form Solicitud de empleo · cell · text · es · held
    # Datos personales
    ap: Apellidos | nom: Nombre(s) | edad: Edad | sexo: Sexo
    dom: Domicilio | col: Colonia | cp: Código postal | tel: Teléfono
    lnac: Lugar de nacimiento | fnac: Fecha de nacimiento | nac: Nacionalidad | civil: Estado civil
    rfc: RFC | nss: Número de seguridad social
    # Datos familiares
    padre: Nombre del padre | madre: Nombre de la madre | esposo: Nombre del cónyuge
    # Empleo actual o último
    emp: Nombre de la empresa | edir: Dirección | etel: Teléfono | puesto: Puesto | jefe: Nombre del jefe inmediato
    # Referencias personales
    @2 ref: Nombre | Domicilio | Teléfono
    list
    Apellidos = Peña Gil; Mora Sanz -> ap
    Nombre = Zoe; Raúl -> nom
    Edad = 35; 36 -> edad
    Domicilio = Olmo 3; Roble 9 -> dom
    Colonia = Centro; Roma -> col
    C.P. = 72000; 50000 -> cp
    Tel. = 222 555 0100; 722 555 0111 -> tel
    F. Nac. = 10/12/1985; 02/01/1984 -> fnac
    Nacionalidad = mexicana; peruana -> nac
    Edo. Civil = soltera; casado -> civil
    RFC = PEGZ851210XX1; MOSR840102XX2 -> rfc
    Empresa = Olmos SA; Robles SA -> emp
    Puesto = Contadora; Vendedor -> puesto
    """,
    """
    form British holiday club · above · acrobat · gb · held
    # Child
    first: First name {name=First name} | sur: Surname {name=Surname} | dob: Date of birth {name=Date of birth} | school: School attended {name=School attended}
    # Parent or carer
    pname: Full name {name=Full name} | paddr: Address {name=Address} | ppc: Postcode {name=Postcode} | pmob: Mobile number {name=Mobile number} | pmail: Email {name=Email}
    # Emergency contact (not parent)
    ename: Full name {name=Full name_2} | emob: Mobile number {name=Mobile number_2}
    # Medical
    doc: Doctor's surgery {name=Surgery} | diet: Dietary needs {name=Dietary needs} | med: Medical conditions {name=Medical conditions}
    list
    Child First Name = @first -> first
    Child Surname = @last -> sur
    Child D.O.B. = 10/12/2015; 02/01/2014 -> dob
    School = Elm School; Oak School -> school
    Parent = Anne Byron; Mary Murray -> pname
    Parent Mobile = 07700 900123; 07700 900456 -> pmob
    Parent Email = @email -> pmail
    Post Code = LS1 4AB; YO1 7HH -> ppc
    Emergency Contact = Ben Moss; Cleo Carr -> ename
    Diet = vegan; none -> diet
    """,
]
