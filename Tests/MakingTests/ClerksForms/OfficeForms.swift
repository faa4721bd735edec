// Forms of offices and courts: taxes, benefits, immigration, motions. `ClerksForm` tells how they are read.

let officeForms = [
    """
    form statement in support of a claim · above · veteran · tips
    # SECTION I: VETERAN'S IDENTIFICATION
    vname: Veteran's name {name=VeteransName} | vssn: Veteran's Social Security number {3-2-4} {name=VeteransSSN}
    vfile: VA file number {name=VAFileNumber} | vdob: Veteran's date of birth {2-2-4} {name=VeteransBirth}
    # SECTION II: CLAIMANT'S IDENTIFICATION (if other than veteran)
    cname: Claimant's name {name=ClaimantsName} | crel: Relationship to veteran {name=ClaimantsRelationship}
    caddr: Mailing address {name=ClaimantsAddress} | cphone: Telephone number {name=ClaimantsPhone}
    # SECTION III: WITNESSES TO SIGNATURE
    w1: Printed name of witness {name=Witness1Name} | w1a: Address of witness {name=Witness1Address}
    w2: Printed name of witness {name=Witness2Name} | w2a: Address of witness {name=Witness2Address}
    --
    ssn2: Veteran's Social Security number {3-2-4} {name=VeteransSSN}
    rem: Remarks {lines} {name=Remarks}
    list
    Veteran = @full -> vname
    Veteran SSN = @ssn -> vssn.1="123" vssn.2="45" vssn.3="6789" ssn2.1 ssn2.2 ssn2.3
    Veteran DOB = @birth -> vdob.1="12" vdob.2="10" vdob.3="2015"
    VA File No. = 12345678; 87654321 -> vfile
    Claimant = Ben Moss; Cleo Carr -> cname
    Claimant Address = @address -> caddr
    Claimant Phone = @phone -> cphone
    list
    Vet Name = @full -> vname
    SSN = @ssn -> vssn.1 vssn.2 vssn.3 ssn2.1 ssn2.2 ssn2.3
    File No = 12345678; 87654321 -> vfile
    Remarks = see file; none -> rem
    """,
    """
    form immigrant petition · left · docassemble
    # Part 1. Relationship
    spouse: Spouse {box} | parent: Parent {box} | child: Child {box}
    # Part 2. Information about you (petitioner)
    anum: Alien registration number {9 comb} {name=petitioner_alien_number}
    plast: Family name {name=petitioner_last} | pfirst: Given name {name=petitioner_first} | pmid: Middle name {name=petitioner_middle}
    # Other names you have used
    olast: Family name {name=petitioner_other_last} | ofirst: Given name {name=petitioner_other_first}
    pbirth: Date of birth {name=petitioner_birth} | pcity: City of birth {name=petitioner_birth_city} | pcountry: Country of birth {name=petitioner_birth_country}
    # Your mailing address
    care: In care of name {name=petitioner_care} | street: Street number and name {name=petitioner_street} | city: City or town {name=petitioner_city} | state: State {name=petitioner_state} | zip: ZIP code {name=petitioner_zip}
    # Your parents' information
    flast: Family name {name=petitioner_parent1_last} | ffirst: Given name {name=petitioner_parent1_first} | fcountry: Country of birth {name=petitioner_parent1_country}
    --
    # Part 4. Information about beneficiary
    blast: Family name {name=beneficiary_last} | bfirst: Given name {name=beneficiary_first}
    bbirth: Date of birth {name=beneficiary_birth} | bcountry: Country of birth {name=beneficiary_birth_country}
    # Part 6. Interpreter's contact information
    ilast: Interpreter's family name {name=interpreter_last} | ifirst: Interpreter's given name {name=interpreter_first}
    icity: City or town {name=interpreter_city} | icountry: Country {name=interpreter_country} | iphone: Daytime telephone {name=interpreter_phone}
    # Part 7. Preparer's contact information
    rlast: Preparer's family name {name=preparer_last} | rfirst: Preparer's given name {name=preparer_first} | rphone: Daytime telephone {name=preparer_phone}
    list
    Petitioner Last = @last -> plast
    Petitioner First = @first -> pfirst
    Petitioner DOB = @birth -> pbirth
    Petitioner Country of Birth = Cuba; Haiti -> pcountry
    Petitioner Street = @street -> street
    Petitioner City = @city -> city
    Petitioner State = @state -> state
    Petitioner Zip = @zip -> zip
    A# = 123456789; 987654321 -> ?anum
    Beneficiary Last = Moss; Carr -> blast
    Beneficiary First = Ben; Cleo -> bfirst
    Beneficiary DOB = 1990-02-03; 1991-03-04 -> bbirth
    Interpreter Last = Dorn; Ely -> ilast
    list
    last_name = @last -> plast
    first_name = @first -> pfirst
    middle_name = King; Brewster -> pmid
    dob = @birth -> pbirth
    birth_city = Havana; Jacmel -> pcity
    city = @city -> city
    country = USA; USA -> none
    phone = @phone -> none
    """,
    """
    form passport by mail · cell · xfa
    # Application
    last: Last name | first: First name | mid: Middle name
    dob: Date of birth {2-2-4} | sex: Sex {1} | pob: Place of birth
    ssn: Social Security number {3-2-4} | mail: Email | phone: Primary contact phone number
    street: Mailing address line 1 | apt: Address line 2 | city: City | state: State {2} | zip: Zip code {5}
    other: List all other names you have used
    # Most recent passport
    pname: Name as printed on your most recent passport | pno: Passport number | pissue: Issue date
    # Name change
    was: Changed by marriage: place of name change | wdate: Date of name change
    --
    name2: Name of applicant (last, first, and middle) | dob2: Date of birth {2-2-4}
    occ: Occupation | emp: Employer or school | height: Height | hair: Hair color | eyes: Eye color
    # Emergency contact
    ename: Name | estreet: Street | ecity: City | ephone: Phone | erel: Relationship
    list
    Last = @last -> last name2
    First = @first -> first name2
    DOB = 12/10/1980; 01/02/1979 -> dob.1="12" dob.2="10" dob.3="1980" dob2.1 dob2.2 dob2.3
    Sex = F; F -> sex
    Birthplace = Boston; Salem -> pob
    SSN = @ssn -> ssn.1 ssn.2 ssn.3
    Email = @email -> mail
    Phone = @phone -> phone
    Address = @street -> street
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Passport No = 123456789; 987654321 -> pno
    Hair = brown; red -> hair
    Eyes = blue; green -> eyes
    Occupation = Clerk; Nurse -> occ
    Emergency Contact = Ben Moss; Cleo Carr -> ename
    Emergency Contact Phone = @phone2 -> ephone
    """,
    """
    form motion for custody · left · snake
    # Parties
    pl: Plaintiff {name=plaintiff_name} | def: Defendant {name=defendant_name}
    court: Court {name=court} | div: Division {name=division} | docket: Docket number {name=docket_number}
    # Plaintiff
    paddr: Street {name=plaintiff_street} | pcity: City {name=plaintiff_city} | pstate: State {name=plaintiff_state} | pzip: Zip {name=plaintiff_zip}
    pphone: Phone {name=plaintiff_phone} | pmail: Email {name=plaintiff_email}
    # Defendant
    daddr: Street {name=defendant_street} | dcity: City {name=defendant_city} | dstate: State {name=defendant_state} | dzip: Zip {name=defendant_zip}
    # Children
    @3 kid: Name of child | Date of birth
    # Attorney for plaintiff
    aname: Name {name=attorney_name} | abar: Bar number {name=attorney_bar} | aphone: Phone {name=attorney_phone}
    list
    Plaintiff Name = @full -> pl
    Plaintiff Street = @street -> paddr
    Plaintiff City = @city -> pcity
    Plaintiff State = @state -> pstate
    Plaintiff Zip = @zip -> pzip
    Plaintiff Phone = @phone -> pphone
    Plaintiff Email = @email -> pmail
    Defendant Name = Ben Moss; Vincent Hopper -> def
    Defendant City = Lynn; Bend -> dcity
    Docket # = 26-001; 26-002 -> docket
    Attorney = Dan Dorn; Eve Ely -> aname
    Bar No. = 1234; 5678 -> abar
    DOB = @birth -> none
    """,
    """
    form income tax with dependents · left · irs · tips
    # Filing status
    single: Single {box} | joint: Married filing jointly {box} | sep: Married filing separately {box}
    first: Your first name and middle initial | last: Last name | ssn: Your social security number
    sfirst: If joint return, spouse's first name and middle initial | slast: Last name | sssn: Spouse's social security number
    addr: Home address (number and street). | apt: Apt. no.
    city: City, town, or post office. | state: State | zip: ZIP code
    # Dependents
    @4 dep: First and last name | Social security number | Relationship | Child tax credit
    wages: 1a. Wages, salaries, tips | int: 2b. Taxable interest | div: 3b. Ordinary dividends
    # Refund
    rout: Routing number {9 comb} | acct: Account number {17 comb}
    # Sign here
    occ: Your occupation | phone: Phone no. | mail: Email address | socc: Spouse's occupation
    # Paid preparer use only
    pname: Preparer's name | ptin: PTIN | firm: Firm's name | fein: Firm's EIN | fphone: Phone no. | faddr: Firm's address
    list
    Taxpayer First = @first -> first
    Taxpayer Last = @last -> last
    Taxpayer SSN = @ssn -> ssn
    Taxpayer Occupation = Clerk; Nurse -> occ
    Spouse First = Ben; Vincent -> sfirst
    Spouse Last = Moss; Hopper -> slast
    Spouse SSN = 321-54-9876; 789-56-1234 -> sssn
    Spouse Occupation = Baker; Driver -> socc
    Street = @street -> addr
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Wages = 52000; 61000 -> wages
    Interest = 12; 40 -> int
    Dependent 1 = Cleo Lovelace; Dan Hopper -> dep1.1
    Dependent 1 SSN = 222-33-4444; 333-44-5555 -> dep1.2
    Preparer = Fay Fox; Gus Gray -> pname
    list
    FIRST = @first -> first
    LAST = @last -> last
    SSN = @ssn -> ssn
    DOB = @birth -> none
    RELATIONSHIP = daughter; son -> none
    ROUTING = 021000021; 011000015 -> rout
    ACCOUNT = 123456; 998877 -> acct
    PHONE = @phone -> phone
    EIN = 12-3456789; 98-7654321 -> none
    """,
    """
    form food assistance application · above · text
    # Tell us about yourself
    name: Name (first, middle, last) | ssn: Social Security number | dob: Date of birth
    addr: Address where you live | city: City | state: State | zip: Zip | county: County
    maddr: Mailing address (if different) | mcity: City | mzip: Zip
    phone: Phone | lang: Language you prefer
    # Who lives in your home
    @5 hh: Name | Relationship to you | Date of birth | Social Security number
    # Income
    emp: Employer | pay: Gross monthly pay | rent: Rent or mortgage | heat: Heating cost
    # Authorized representative
    rname: Name | rphone: Phone
    # Agency use only
    caseno: Case number | worker: Worker | recd: Date received
    list
    Client Name = @full -> name
    Client SSN = @ssn -> ssn
    Client DOB = @birth -> dob
    Address = @street -> addr
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    County = Suffolk; Marion -> county
    Phone = @phone -> phone
    Language = English; Spanish -> lang
    Employer = Elm Mills; Oak Works -> emp
    Rent = 1200; 950 -> rent
    Auth Rep = Ben Moss; Cleo Carr -> rname
    Case # = 7001; 7002 -> ?caseno
    Worker = Dan Dorn; Eve Ely -> ?worker
    list
    FIRST NAME = @first -> name
    LAST NAME = @last -> name
    BIRTHDATE = @birthus -> dob
    STREET ADDRESS = @street -> addr
    MAILING ADDRESS = PO Box 1; PO Box 2 -> maddr
    TELEPHONE = @phone -> phone
    """,
    """
    form voter registration · cell · text
    new: New registration {box} | chg: Address change {box}
    last: Last name | first: First name | mid: Middle name | suf: Suffix
    addr: Home address | apt: Apt. | city: City/Town | zip: Zip code
    maddr: Address where you get mail (if different from above)
    dob: Date of birth {2-2-4} | phone: Telephone number | dl: ID number
    party: Choice of party
    prev: Your name when last registered | prevaddr: Address where last registered
    # Helper: if someone helped you fill this out
    hname: Name | haddr: Address | hphone: Phone
    list
    Last Name = @last -> last
    First Name = @first -> first
    Suffix = Jr; III -> suf
    Residential Address = @street -> addr
    Town = @city -> city
    Zip = @zip -> zip
    Birth Date = 12/10/1980; 01/02/1979 -> dob.1 dob.2 dob.3
    Phone = @phone -> phone
    Party = Green; Blue -> party
    Maiden Name = Byron; Murray -> none
    """,
    """
    form small claims · above · hash
    # Plaintiff
    pname: Name | paddr: Street address | pcity: City | pstate: State | pzip: Zip | pphone: Phone
    # Defendant
    dname: Name | daddr: Street address | dcity: City | dstate: State | dzip: Zip | dphone: Phone
    amt: Amount claimed | why: Reason for claim {lines} | date: Date it happened
    list
    plaintiff = @full -> pname
    plaintiff_address = @street -> paddr
    plaintiff_city = @city -> pcity
    plaintiff_zip = @zip -> pzip
    defendant = Ben Moss; Cleo Carr -> dname
    defendant_address = 7 Ash St; 8 Fir Rd -> daddr
    defendant_city = Lynn; Bend -> dcity
    claim_amount = 500; 700 -> amt
    reason = unpaid rent; broken fence -> why
    list
    Name = @full -> pname
    Street = @street -> paddr
    City = @city -> pcity
    Zip = @zip -> pzip
    Phone = @phone -> pphone
    """,
    """
    form visitor to a prison · left · text
    # Visitor
    vname: Name | vdob: Date of birth | vrel: Relationship to inmate
    vaddr: Address | vphone: Phone | vdl: Driver's license number
    # Inmate
    iname: Name | inum: Inmate number | unit: Housing unit
    # Minor children visiting with you
    @3 kid: Name | Age
    # Official use only
    appr: Approved by | adate: Date
    list
    Visitor Name = @full -> vname
    Visitor DOB = @birth -> vdob
    Relationship = sister; friend -> vrel
    Address = @address -> vaddr
    Phone = @phone -> vphone
    DL # = S1234; S5678 -> ?vdl
    Inmate = Ben Moss; Cleo Carr -> iname
    Inmate # = 1001; 1002 -> inum
    list
    Name = @full -> vname
    Birth date = @birth -> vdob
    Inmate name = Ben Moss; Cleo Carr -> iname
    """,
    """
    form name with misleading neighbours · below · text
    # Certificate holder
    x1: Issued to | x2: Issued on | x3: Certificate no.
    # Holder's record
    x4: Place of birth {name=BirthCity} | x5: City {name=City} | x6: Name of city clerk {name=ClerkName}
    x7: Name of street {name=Street} | x8: Phone of clerk {name=ClerkPhone}
    list
    Name = @full -> ?x1
    City = @city -> x5
    Street = @street -> x7
    Birth city = Lynn; Bend -> x4
    Phone = @phone -> none
    Cert. No. = 7001; 7002 -> x3
    """,
    """
    form widow's pension · above · veteran · tips · held
    # SECTION I: DECEASED VETERAN
    vfirst: Veteran's first name {name=VetFirst} | vlast: Veteran's last name {name=VetLast}
    vssn: Social Security number {3-2-4} {name=VetSSN} | vdod: Date of death {2-2-4} {name=VetDeath}
    # SECTION II: SURVIVING SPOUSE
    sfirst: First name {name=SpouseFirst} | slast: Last name {name=SpouseLast}
    sssn: Social Security number {3-2-4} {name=SpouseSSN} | sdob: Date of birth {2-2-4} {name=SpouseBirth}
    street: Street {name=SpouseStreet} | city: City {name=SpouseCity} | state: State {2} {name=SpouseState} | zip: ZIP {5} {name=SpouseZip}
    # SECTION III: PREVIOUS MARRIAGES
    @2 pm: Name of former spouse | Date of marriage | Date ended
    # SECTION IV: DEPENDENT CHILDREN
    @3 kid: Name of child | Date of birth | Social Security number
    list
    Veteran First Name = @first -> vfirst
    Veteran Last Name = @last -> vlast
    Veteran SSN = @ssn -> vssn.1="123" vssn.2="45" vssn.3="6789"
    Date of Death = 2024-01-05; 2023-02-01 -> vdod.1="01" vdod.2="05" vdod.3="2024"
    Spouse First Name = Ben; Vincent -> sfirst
    Spouse Last Name = Moss; Hopper -> slast
    Spouse SSN = 321-54-9876; 789-56-1234 -> sssn.1="321" sssn.2="54" sssn.3="9876"
    Spouse City = @city -> city
    Spouse Zip = @zip -> zip
    DOB = @birth -> none
    """,
    """
    form asylum clearance · cell · textfields · held
    # Part A. Information about you
    anum: Alien number | last: Last name | first: First name | mid: Middle name
    other: Other names used (include maiden name and aliases)
    street: Residence in the U.S.: street number and name | apt: Apt. number
    city: City | state: State | zip: Zip code | phone: Telephone number
    gender: Gender | marital: Marital status | dob: Date of birth | birth: City and country of birth
    nat: Present nationality | pass: Passport number
    # Part A II. Your spouse
    slast: Complete last name | sfirst: First name | sdob: Date of birth | snat: Nationality | spass: Passport number
    # Your children
    @2 kid: Last name | First name | Date of birth | Nationality
    # Part E. Declaration of person preparing form
    pname: Print complete name of preparer | pphone: Daytime telephone number | pstreet: Address of preparer: street | pcity: City | pstate: State
    list
    A Number = 123456789; 987654321 -> anum
    Last Name = @last -> last
    First Name = @first -> first
    Street = @street -> street
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Phone = @phone -> phone
    Gender = F; F -> gender
    Marital Status = married; single -> marital
    DOB = @birth -> dob
    Nationality = Cuban; Haitian -> nat
    Passport # = X123456; X654321 -> pass
    Spouse Last Name = Moss; Hopper -> slast
    Spouse Nationality = Cuban; Haitian -> snat
    Preparer = Fay Fox; Gus Gray -> pname
    """,
    """
    form guardianship inventory · left · snake · held
    # Person under guardianship
    wname: Name {name=ward_name} | wdob: Date of birth {name=ward_dob} | wplace: Where the person lives {name=ward_residence}
    # Guardian
    gname: Name {name=guardian_name} | gaddr: Address {name=guardian_address} | gphone: Phone {name=guardian_phone} | gmail: Email {name=guardian_email}
    court: County {name=court_county} | caseno: Case number {name=case_number}
    # Attorney
    aname: Name {name=attorney_name} | abar: Bar number {name=attorney_bar_number}
    list
    Ward = @full -> wname
    Ward DOB = @birth -> wdob
    Guardian = Ben Moss; Cleo Carr -> gname
    Guardian Phone = @phone -> gphone
    Guardian Email = @email -> gmail
    Case No. = 26-001; 26-002 -> caseno
    County = Suffolk; Marion -> court
    Attorney = Dan Dorn; Eve Ely -> aname
    """,
    """
    form building permit · above · acrobat · held
    # Job site
    addr: Address {name=Address} | parcel: Parcel number {name=Parcel number} | zone: Zoning {name=Zoning}
    # Owner
    oname: Name {name=Name} | oaddr: Mailing address {name=Mailing address} | ophone: Phone {name=Phone} | omail: Email {name=Email}
    # Contractor
    cname: Name {name=Name_2} | caddr: Mailing address {name=Mailing address_2} | cphone: Phone {name=Phone_2} | clic: License number {name=License number}
    cost: Estimated cost {name=Estimated cost} | work: Description of work {lines} {name=Description of work}
    # Department use only
    fee: Permit fee {name=Permit fee} | no: Permit number {name=Permit number} | by: Approved by {name=Approved by}
    list
    Owner = @full -> oname
    Owner Phone = @phone -> ophone
    Owner Email = @email -> omail
    Site Address = @street -> addr
    Parcel # = 12-34; 56-78 -> parcel
    Contractor = Ben Moss; Cleo Carr -> cname
    Contractor License = C-1; C-2 -> clic
    Est. Cost = 9000; 8000 -> cost
    Description = new roof; deck -> work
    """,
]
