// Forms as offices in Britain, Germany, Austria, France and Spain have them. `ClerksForm` tells how they are read.

let europeanForms = [
    """
    form Anmeldung zur Schule · left · text · de
    # Angaben zum Kind
    name: Familienname | vorname: Vorname(n)
    geb: Geburtsdatum | ort: Geburtsort
    staat: Staatsangehörigkeit | konf: Konfession
    # Erziehungsberechtigte
    ename: Name der Mutter | vname: Name des Vaters
    str: Straße und Hausnummer | plz: PLZ | wohn: Wohnort
    tel: Telefon privat | dienst: Telefon dienstlich | mail: E-Mail
    # Notfallkontakt
    nname: Name | ntel: Telefon
    list
    Nachname = Müller; Weiß -> name
    Vorname = Änne; Jörg -> vorname
    Geb.-Datum = 10.12.2015; 02.01.2014 -> geb
    Geburtsort = Bonn; Graz -> ort
    Mutter = Eva Müller; Ina Weiß -> ename
    Vater = Udo Müller; Rolf Weiß -> vname
    Straße = Ulmenweg 3; Am Markt 9 -> str
    PLZ = 53111; 80331 -> plz
    Ort = Bonn; München -> wohn
    Tel. (privat) = 0228 123; 089 456 -> tel
    """,
    """
    form Personalbogen · left · snake · de
    # Persönliche Angaben
    nach: Name {name=nachname} | vor: Vorname {name=vorname}
    geb: Geburtsdatum {name=geburtsdatum} | fam: Familienstand {name=familienstand}
    str: Straße {name=strasse} | plz: PLZ {name=plz} | ort: Ort {name=ort}
    # Bankverbindung
    bank: Kreditinstitut {name=bank} | iban: IBAN {name=iban} | bic: BIC {name=bic}
    # Wird vom Arbeitgeber ausgefüllt
    firma: Firma {name=arbeitgeber_name} | agort: Ort {name=arbeitgeber_ort}
    eintritt: Eintrittsdatum {name=eintrittsdatum}
    list
    Name = Müller; Weiß -> nach
    Vorname = Änne; Jörg -> vor
    Geburtstag = 10.12.1985; 02.01.1984 -> geb
    Familienstand = ledig; verheiratet -> fam
    Strasse = Ulmenweg 3; Am Markt 9 -> str
    PLZ = 53111; 80331 -> plz
    Wohnort = Bonn; München -> ort
    IBAN = DE02120300000000202051; DE02500105170137075030 -> iban
    BIC = BYLADEM1001; INGDDEFF -> bic
    Eintritt = 01.02.2026; 01.03.2026 -> eintritt
    """,
    """
    form Mietvertrag · above · text · de
    # Vermieter
    vname: Name, Vorname | vanschrift: Anschrift
    # Mieter
    mname: Name, Vorname | manschrift: Anschrift
    mgeb: Geburtsdatum | mtel: Telefon
    # Mietsache
    miete: Kaltmiete | beginn: Mietbeginn
    list
    Mieter = "Müller, Änne"; "Weiß, Jörg" -> mname
    Mieter Anschrift = Ulmenweg 3, 53111 Bonn; Am Markt 9, 80331 München -> manschrift
    Geb.datum Mieter = 10.12.1985; 02.01.1984 -> mgeb
    Kaltmiete = 750; 820 -> miete
    Mietbeginn = 01.02.2026; 01.03.2026 -> beginn
    """,
    """
    form Antrag auf Kindergeld · cell · text · de
    # Angaben zur antragstellenden Person
    aname: Name | avor: Vorname
    ageb: Geburtsdatum | anat: Staatsangehörigkeit
    adr: Anschrift (Straße, Hausnummer, PLZ, Wohnort)
    # Angaben zum Ehepartner
    pname: Name | pvor: Vorname
    pgeb: Geburtsdatum | pnat: Staatsangehörigkeit
    # Angaben zu Kindern
    @3 kind: Vorname des Kindes | Geburtsdatum | Geschlecht
    list
    Name = Müller; Weiß -> aname
    Vorname = Änne; Jörg -> avor
    Geburtsdatum = 10.12.1985; 02.01.1984 -> ageb
    Staatsang. = deutsch; österreichisch -> anat
    Straße = Ulmenweg 3; Am Markt 9 -> adr
    PLZ = 53111; 80331 -> adr
    Ort = Bonn; München -> adr
    """,
    """
    form Einverständnis Klassenfahrt · left · camel · de
    kind: Name des Kindes {name=KindName} | klasse: Klasse {name=Klasse}
    geb: geboren am {name=GebDatum}
    eltern: Erziehungsberechtigte/r {name=Eltern} | tel: Telefon {name=Telefon}
    arzt: Hausarzt {name=Hausarzt} | arzttel: Telefon des Hausarztes {name=ArztTelefon}
    kasse: Krankenkasse {name=Krankenkasse}
    list
    Schüler/in = Änne Müller; Jörg Weiß -> kind
    Kl. = 5a; 5b -> klasse
    Geb. = 10.12.2015; 02.01.2014 -> geb
    Eltern = Eva Müller; Ina Weiß -> eltern
    Krankenkasse = AOK; TK -> kasse
    Hausarzt = Dr. Grau; Dr. Blau -> arzt
    """,
    """
    form Vollmacht · left · text · de
    # Vollmachtgeber
    gname: Name, Vorname | ggeb: Geburtsdatum
    gadr: Anschrift
    # Bevollmächtigter
    bname: Name, Vorname | bgeb: Geburtsdatum
    badr: Anschrift
    list
    Vollmachtgeber = "Müller, Änne"; "Weiß, Jörg" -> gname
    Bevollmächtigter = "Grau, Udo"; "Blau, Ina" -> bname
    """,
    """
    form Inscription scolaire · left · text · fr
    # L'élève
    nom: Nom | prenom: Prénom
    naiss: Date de naissance | lieu: Lieu de naissance
    classe: Classe
    # Responsable légal
    rnom: Nom | rprenom: Prénom
    adr: Adresse | cp: Code postal | ville: Ville
    tel: Téléphone | mel: Courriel
    # Personne à prévenir en cas d'urgence
    unom: Nom | utel: Téléphone
    list
    Nom élève = Dupont; Léger -> nom
    Prénom élève = Zoé; Rémi -> prenom
    Né(e) le = 10/12/2015; 02/01/2014 -> naiss
    Classe = CM1; CM2 -> classe
    Nom responsable = Dupont; Léger -> rnom
    Prénom responsable = Anne; Luc -> rprenom
    Adresse = 3 rue des Ormes; 9 place du Marché -> adr
    CP = 75001; 69002 -> cp
    Ville = Paris; Lyon -> ville
    Courriel = anne@example.org; luc@example.org -> mel
    """,
    """
    form Déclaration d'embauche · above · hash · tips · fr
    # Salarié
    nom: Nom de naissance | usage: Nom d'usage | prenom: Prénoms
    secu: Numéro de sécurité sociale | nat: Nationalité
    naiss: Date de naissance
    # Employeur
    raison: Raison sociale | siret: SIRET
    eadr: Adresse | ecp: Code postal | eville: Ville
    list
    nom_usage = Dupont; Léger -> usage
    prenom = Zoé; Rémi -> prenom
    date_naissance = 10/12/1985; 02/01/1984 -> naiss
    num_secu = 285127500100123; 184016900200145 -> secu
    nationalite = française; belge -> nat
    ville = Paris; Lyon -> none
    """,
    """
    form Bail de location · left · snake · fr
    # Le bailleur
    bnom: Nom et prénom {name=bailleur_nom} | badr: Adresse {name=bailleur_adresse}
    # Le locataire
    lnom: Nom et prénom {name=locataire_nom} | ladr: Adresse {name=locataire_adresse}
    lnaiss: Date de naissance {name=locataire_naissance}
    loyer: Loyer mensuel {name=loyer} | depot: Dépôt de garantie {name=depot_garantie}
    list
    Locataire = Zoé Dupont; Rémi Léger -> lnom
    Adresse locataire = 3 rue des Ormes, 75001 Paris; 9 place du Marché, 69002 Lyon -> ladr
    Loyer = 750; 820 -> loyer
    Dépôt de garantie = 1500; 1640 -> depot
    """,
    """
    form Adhésion association · cell · text · fr
    nom: Nom | prenom: Prénom | naiss: Né(e) le
    adr: Adresse | cp: Code postal | ville: Ville
    tel: Tél. portable | mel: E-mail
    profession: Profession
    list
    NOM = Dupont; Léger -> nom
    PRENOM = Zoé; Rémi -> prenom
    DATE NAISS. = 10/12/1985; 02/01/1984 -> naiss
    RUE = 3 rue des Ormes; 9 place du Marché -> adr
    CODE POSTAL = 75001; 69002 -> cp
    VILLE = Paris; Lyon -> ville
    PORTABLE = 06 12 34 56 78; 06 98 76 54 32 -> tel
    MAIL = zoe@example.org; remi@example.org -> mel
    """,
    """
    form Matrícula escolar · left · text · es
    # Datos del alumno
    nombre: Nombre | ap1: Apellidos
    nac: Fecha de nacimiento | lugar: Lugar de nacimiento | nacion: Nacionalidad
    # Datos de la madre
    mnombre: Nombre y apellidos | mtel: Teléfono
    # Datos del padre
    pnombre: Nombre y apellidos | ptel: Teléfono
    dir: Dirección | cp: Código postal | loc: Localidad
    list
    Nombre = Zoe; Raúl -> nombre
    Apellidos = Peña Gil; Mora Sanz -> ap1
    F. nacimiento = 10/12/2015; 02/01/2014 -> nac
    Nacionalidad = española; peruana -> nacion
    Madre = Ana Gil; Eva Sanz -> mnombre
    Tel. madre = 600111222; 600333444 -> mtel
    Padre = Luis Peña; Juan Mora -> pnombre
    """,
    """
    form Solicitud de visado · cell · textfields · es
    # Solicitante
    ape: Apellido(s) | nom: Nombre(s)
    nac: Fecha de nacimiento | pais: País de nacimiento | nacion: Nacionalidad actual
    sexo: Sexo | estado: Estado civil
    pas: Número de pasaporte | validez: Válido hasta
    dir: Domicilio | correo: Correo electrónico | tel: Teléfono
    # Empleador
    enom: Nombre | edir: Dirección | etel: Teléfono
    # Persona que invita
    inom: Apellidos y nombre | itel: Teléfono
    list
    apellidos = Peña Gil; Mora Sanz -> ape
    nombre = Zoe; Raúl -> nom
    fecha_nacimiento = 10/12/1985; 02/01/1984 -> nac
    sexo = M; H -> sexo
    estado_civil = soltera; casado -> estado
    pasaporte = XA123456; XB987654 -> pas
    correo = zoe@example.org; raul@example.org -> correo
    telefono = 600111222; 600333444 -> tel
    """,
    """
    form Contrato de arrendamiento · above · text · es
    # Arrendador
    anom: Nombre y apellidos | adni: DNI
    # Arrendatario
    inom: Nombre y apellidos | idni: DNI | itel: Teléfono
    renta: Renta mensual | fianza: Fianza
    list
    Inquilino = Zoe Peña; Raúl Mora -> inom
    DNI inquilino = 12345678Z; 87654321X -> idni
    Tel. inquilino = 600111222; 600333444 -> itel
    Renta = 750; 820 -> renta
    Fianza = 1500; 1640 -> fianza
    """,
    """
    form passport photo and form · left · text · gb
    # Section 1: The applicant
    sur: Surname | first: First and middle names
    title: Title | dob: Date of birth {2-2-4}
    town: Town of birth | mobile: Mobile phone
    house: House number and street | city: Town or city | postcode: Postcode
    # Section 2: Previous names
    psur: Surname | pfirst: First names
    # Section 9: Countersignature
    csur: Surname | cfirst: First names | cjob: Profession
    list
    Forename(s) = Ada; Grace -> first
    Surname = Lovelace; Hopper -> sur
    Title = Ms; Mrs -> title
    D.O.B. = 10/12/1980; 02/01/1979 -> dob.1="10" dob.2="12" dob.3="1980"
    Address 1 = 12 Elm Road; 9 Oak Lane -> house
    Town = Leeds; York -> city
    Post Code = LS1 4AB; YO1 7HH -> postcode
    Mobile No. = 07700 900123; 07700 900456 -> mobile
    """,
    """
    form nursery admission · above · acrobat · gb
    # Child's details
    name: Child's full name {name=Childs full name} | known: Known as {name=Known as}
    dob: Date of birth {name=Date of birth} | sex: Gender {name=Gender}
    # Parent/carer 1
    p1: Name {name=Name} | p1tel: Mobile {name=Mobile} | p1mail: Email {name=Email}
    # Parent/carer 2
    p2: Name {name=Name_2} | p2tel: Mobile {name=Mobile_2} | p2mail: Email {name=Email_2}
    # Doctor
    gp: GP name {name=GP name} | surgery: Surgery address {name=Surgery address} | gptel: Telephone {name=Telephone}
    list
    Child = Ada Lovelace; Grace Hopper -> name
    Child DOB = 10/12/2022; 02/01/2021 -> dob
    Gender = F; F -> sex
    Parent 1 = Anne Byron; Mary Hopper -> p1
    Parent 1 mobile = 07700 900123; 07700 900456 -> p1tel
    Parent 2 = Bill Byron; John Hopper -> p2
    Parent 2 mobile = 07700 900124; 07700 900457 -> p2tel
    GP = Dr Grey; Dr Who -> gp
    """,
    """
    form council tax discount · cell · xfa · tips · gb
    # Your details
    title: Title | first: First name(s) | last: Last name
    addr: Address | pc: Postcode
    acc: Council tax account number | ni: National Insurance number
    # Details of your landlord or agent
    lname: Name | laddr: Address | lpc: Postcode
    # Office use only
    ref: Reference | date: Date
    list
    Fname = Ada; Grace -> first
    Sname = Lovelace; Hopper -> last
    Addr = 12 Elm Road; 9 Oak Lane -> addr
    P/code = LS1 4AB; YO1 7HH -> pc
    NI No = QQ123456C; QQ654321A -> ni
    Account no = 7001; 7002 -> acc
    """,
]
