// Forms as offices of the United States have them, and lists as clerks keep them. `ClerksForm` tells how they are read.
// What is right was written down with the form, from where a person would write it.

let americanForms = [
    """
    form tax return · cell · xfa
    # Form 10 Individual Income Tax Return
    first: Your first name and middle initial | last: Last name | ssn: Your social security number
    sfirst: If joint return, spouse's first name and middle initial | slast: Last name | sssn: Spouse's social security number
    street: Home address (number and street) | apt: Apt. no.
    city: City, town, or post office | state: State | zip: ZIP code
    # Dependents (see instructions)
    @3 dep: First name | Last name | Social security number | Relationship to you
    # Third Party Designee
    desname: Designee's name | desphone: Phone no. | despin: Personal identification number (PIN)
    # Paid Preparer Use Only
    prepname: Preparer's name | ptin: PTIN | prepphone: Phone no.
    list
    first_name = Ada; Grace -> first
    last_name = Lovelace; Hopper -> last
    ssn = 123-45-6789; 987-65-4321 -> ssn
    street_address = 12 Elm St; 9 Oak Ave -> street
    apt = 3; 4b -> apt
    city = Boston; Salem -> city
    state = MA; OR -> state
    zip = 02110; 97301 -> zip
    phone = 617-555-0100; 503-555-0111 -> none
    birth_date = 1980-12-10; 1979-01-02 -> none
    """,
    """
    form withholding certificate · above · codes
    # Employee's withholding certificate
    first: First name and middle initial | last: Last name
    ssn: Social security number
    street: Address
    town: City or town, state, and ZIP code
    # Employers only
    ename: Employer's name and address {lines} | start: First date of employment | ein: Employer identification number (EIN)
    list
    FName = Ada; Grace -> first
    LName = Lovelace; Hopper -> last
    SSN = 123-45-6789; 987-65-4321 -> ssn
    Addr = 12 Elm St; 9 Oak Ave -> street
    City = Boston; Salem -> town
    ST = MA; OR -> town
    Zip = 02110; 97301 -> town
    Hire Dt = 2026-01-05; 2026-02-01 -> start
    """,
    """
    form veteran's claim · above · veteran · tips
    # SECTION I: VETERAN'S IDENTIFICATION INFORMATION
    vfirst: Veteran's first name {name=VeteranFirstName} | vmi: Middle initial {name=VeteranMiddleInitial1} {1} | vlast: Last name {name=VeteranLastName}
    vssn: Social security number {3-2-4} {name=VeteransSocialSecurityNumber}
    vdob: Date of birth {2-2-4} {name=DOB}
    file: VA file number {name=VAFileNumber}
    # SECTION II: CLAIMANT'S MAILING ADDRESS
    street: No. & street {name=CurrentMailingAddress_NumberAndStreet} | unit: Apt./unit number {name=CurrentMailingAddress_ApartmentOrUnitNumber}
    city: City {name=CurrentMailingAddress_City} | state: State/Province {2} {name=CurrentMailingAddress_StateOrProvince} | zip: ZIP Code {5} {name=CurrentMailingAddress_ZIPOrPostalCode}
    # SECTION III: SOURCE OF INFORMATION
    @3 src: Name of source | Address of source | Telephone number
    --
    vssn2: Veteran's social security number {3-2-4} {name=VeteransSocialSecurityNumber}
    printed: Printed name of person signing {name=PrintedNameOfPersonAuthorizingDisclosure}
    list
    Veteran First = Ada; Grace -> vfirst
    MI = K; B -> vmi
    Veteran Last = Lovelace; Hopper -> vlast
    Veteran SSN = 123-45-6789; 987-65-4321 -> vssn.1 vssn.2 vssn.3 vssn2.1 vssn2.2 vssn2.3
    DOB = 1980-12-10; 1979-01-02 -> vdob.1="12" vdob.2="10" vdob.3="1980"
    VA File # = 123456789; 987654321 -> file
    Street = 12 Elm St; 9 Oak Ave -> street
    City = Boston; Salem -> city
    State = MA; OR -> state
    ZIP = 02110; 97301 -> zip
    Phone = 617-555-0100; 503-555-0111 -> none
    """,
    """
    form caregiver application · above · textfields · tips
    # SECTION 1 - VETERAN
    vlast: Last Name | vfirst: First Name | vmid: Middle Name
    vssn: Social Security Number | vdob: Date of Birth
    vstreet: Current Street Address | vcity: City | vstate: State | vzip: Zip Code
    vphone: Primary Telephone Number | valt: Alternate Telephone Number | vmail: Email Address
    # SECTION 2 - PRIMARY FAMILY CAREGIVER APPLICANT
    clast: Last Name | cfirst: First Name | cmid: Middle Name
    cssn: Social Security Number | cdob: Date of Birth
    cstreet: Current Street Address | ccity: City | cstate: State | czip: Zip Code
    cphone: Primary Telephone Number | crel: Relationship to Veteran
    list
    veteran_last_name = Lovelace; Hopper -> vlast
    veteran_first_name = Ada; Grace -> vfirst
    veteran_dob = 1980-12-10; 1979-01-02 -> vdob
    veteran_street = 12 Elm St; 9 Oak Ave -> vstreet
    veteran_city = Boston; Salem -> vcity
    veteran_zip = 02110; 97301 -> vzip
    caregiver_last_name = Moss; Carr -> clast
    caregiver_first_name = Ben; Cleo -> cfirst
    caregiver_dob = 1985-03-04; 1990-05-06 -> cdob
    caregiver_relationship = Spouse; Son -> crel
    """,
    """
    form school consent · left · text
    # Permission slip
    child: Child's name
    grade: Grade | teacher: Teacher
    dob: Date of birth
    allergies: Allergies or medical conditions {lines}
    # Parent or guardian
    parent: Parent/guardian name
    phone: Daytime phone | cell: Cell phone
    email: E-mail
    # Emergency contact (if parent cannot be reached)
    emname: Name | emphone: Phone
    list
    Student = Ada Lovelace; Grace Hopper -> child
    Grade = 5; 6 -> grade
    Homeroom teacher = Ms Ito; Mr Diaz -> teacher
    DOB = 2015-12-10; 2014-01-02 -> dob
    Allergies = nuts; none -> allergies
    Parent = Anne Byron; Mary Hopper -> parent
    Parent e-mail = anne@example.org; mary@example.org -> email
    Ph. (cell) = 617-555-0100; 503-555-0111 -> cell
    Emergency contact name = Ben Moss; Cleo Carr -> emname
    Emergency contact phone = 617-555-0199; 503-555-0188 -> emphone
    """,
    """
    form field trip · left · camel
    child: Student {name=StudentName} | room: Room {name=Room}
    parent: Parent/Guardian {name=ParentName}
    home: Home phone {name=HomePhone} | work: Work phone {name=WorkPhone}
    doctor: Family doctor {name=DoctorName} | docphone: Doctor's phone {name=DoctorPhone}
    trip: Destination {name=Destination} | date: Date of trip {name=TripDate}
    list
    Last, First = "Lovelace, Ada"; "Hopper, Grace" -> child
    Rm = 12; 14 -> room
    Guardian = Anne Byron; Mary Hopper -> parent
    Ph. (home) = 617-555-0100; 503-555-0111 -> home
    Ph. (work) = 617-555-0101; 503-555-0112 -> work
    Dr. = Dr. Grey; Dr. Who -> doctor
    """,
    """
    form new hire · below · acrobat
    # Applicant information
    first: First Name {name=First Name} | last: Last Name {name=Last Name} | mid: Middle {name=Middle}
    street: Street Address {name=Street Address} | unit: Apt {name=Apt}
    city: City {name=City} | state: State {name=State} | zip: ZIP {name=ZIP}
    phone: Phone {name=Phone} | email: Email {name=Email}
    # Spouse information
    sfirst: First Name {name=First Name_2} | slast: Last Name {name=Last Name_2}
    sphone: Phone {name=Phone_2} | semp: Employer {name=Employer}
    # Emergency contact
    ename: Full Name {name=Full Name} | ephone: Phone {name=Phone_3} | erel: Relationship {name=Relationship}
    # References
    @3 ref: Name | Company | Phone
    list
    First = Ada; Grace -> first
    Last = Lovelace; Hopper -> last
    Mailing Address = 12 Elm St; 9 Oak Ave -> street
    City = Boston; Salem -> city
    State = MA; OR -> state
    ZIP Code = 02110; 97301 -> zip
    Mobile = 617-555-0100; 503-555-0111 -> phone
    E-mail = ada@example.org; grace@example.org -> email
    Spouse first name = Ben; Vincent -> sfirst
    Emergency contact = Cleo Carr; Dan Dorn -> ename
    Emergency phone = 617-555-0199; 503-555-0188 -> ephone
    """,
    """
    form direct deposit · left · text
    # Employee
    name: Employee name | id: Employee ID
    dept: Department | phone: Work phone
    # Bank account
    bank: Name of bank | bcity: City
    routing: Routing number {9} | account: Account number
    # For payroll office use only
    oname: Name | odate: Date received
    list
    Emp Name = Ada Lovelace; Grace Hopper -> name
    Emp # = 1001; 1002 -> id
    Dept = Sales; IT -> dept
    Bank = First Bank; Elm Bank -> bank
    Routing No. = 021000021; 011000015 -> routing
    Acct No. = 123456; 998877 -> account
    City = Boston; Salem -> none
    """,
    """
    form rental application · left · snake
    # Applicant
    name: Full name {name=applicant_name} | dob: Date of birth {name=applicant_dob}
    ssn: SSN {name=applicant_ssn} | phone: Phone {name=applicant_phone}
    # Co-applicant
    coname: Full name {name=coapplicant_name} | codob: Date of birth {name=coapplicant_dob}
    # Current residence
    addr: Address {name=current_address} | lname: Landlord's name {name=landlord_name} | lphone: Landlord's phone {name=landlord_phone}
    rent: Monthly rent {name=monthly_rent}
    # Previous residence
    paddr: Address {name=previous_address} | plname: Landlord's name {name=previous_landlord_name}
    list
    tenant = Ada Lovelace; Grace Hopper -> name
    tenant_dob = 1980-12-10; 1979-01-02 -> dob
    tenant_phone = 617-555-0100; 503-555-0111 -> phone
    current_addr = 12 Elm St, Boston, MA 02110; 9 Oak Ave, Salem, OR 97301 -> addr
    landlord = Ben Moss; Cleo Carr -> lname
    landlord_tel = 617-555-0199; 503-555-0188 -> lphone
    rent = 1200; 950 -> rent
    """,
    """
    form temporary status · left · docassemble
    # Part 1. Information about you
    last: Family Name (Last Name) {name=users1_name_last} | first: Given Name (First Name) {name=users1_name_first}
    # Other names you have used
    plast: Family Name (Last Name) {name=users1_previous_names1_last} | pfirst: Given Name (First Name) {name=users1_previous_names1_first}
    qlast: Family Name (Last Name) {name=users1_previous_names2_last} | qfirst: Given Name (First Name) {name=users1_previous_names2_first}
    # Mailing address
    street: Street Number and Name {name=users1_mailing_address_street} | city: City or Town {name=users1_mailing_address_city}
    state: State {name=users1_mailing_address_state} | zip: ZIP Code {name=users1_mailing_address_zip}
    dob: Date of Birth {name=users1_birthdate} | cob: Country of Birth {name=users1_country_of_birth}
    entry: City or Town of entry {name=city_of_entry}
    # Part 3. Information about your spouse
    slast: Family Name (Last Name) {name=users2_name_last} | sfirst: Given Name (First Name) {name=users2_name_first}
    # Part 8. Interpreter's contact information
    ilast: Interpreter's Family Name (Last Name) {name=interpreter_last} | icity: City or Town {name=interpreter_city}
    icountry: Country {name=interpreter_country}
    list
    family_name = Lovelace; Hopper -> last
    given_name = Ada; Grace -> first
    street = 12 Elm St; 9 Oak Ave -> street
    city = Boston; Salem -> city
    state = MA; OR -> state
    zip = 02110; 97301 -> zip
    date_of_birth = 1980-12-10; 1979-01-02 -> dob
    country_of_birth = Cuba; Haiti -> cob
    """,
    """
    form visa application · cell · textfields
    # Personal information
    sur: Surnames | given: Given names
    other: Other names used (maiden, religious, professional)
    sex: Sex | marital: Marital status
    dob: Date of birth | pcity: City of birth | pcountry: Country of birth
    nat: Nationality | passport: Passport number | issue: Date of issue | expiry: Expiration date
    # Home address
    street: Street address | city: City | country: Country
    phone: Primary phone number | email: Email address
    # Contact person in the country
    cname: Name | cphone: Phone number | cemail: Email address
    list
    SURNAME = Lovelace; Hopper -> sur
    GIVEN NAMES = Ada; Grace -> given
    SEX = F; F -> sex
    BIRTH DATE = 1980-12-10; 1979-01-02 -> dob
    NATIONALITY = British; French -> nat
    PASSPORT NO = 123456789; 987654321 -> passport
    PASSPORT EXPIRY = 2030-01-01; 2031-01-01 -> expiry
    TEL = +44 20 7946 0018; +33 1 99 00 12 34 -> phone
    EMAIL = ada@example.org; grace@example.org -> email
    """,
    """
    form insurance claim · above · hash · tips
    # Policyholder
    name: Policyholder name | policy: Policy number
    addr: Address | city: City | state: State | zip: ZIP
    # Patient
    pname: Patient name | pdob: Patient date of birth | prel: Relationship to policyholder
    # Provider
    drname: Provider name | npi: NPI | drphone: Phone
    # Agent's statement
    aname: Agent name | aphone: Agent phone
    list
    Insured = Ada Lovelace; Grace Hopper -> name
    Policy # = P-1001; P-1002 -> policy
    Patient = Ben Lovelace; Cleo Hopper -> pname
    Patient DOB = 2010-12-10; 2012-01-02 -> pdob
    Insured Address = 12 Elm St; 9 Oak Ave -> addr
    Insured City = Boston; Salem -> city
    Phone = 617-555-0100; 503-555-0111 -> none
    """,
    """
    form vendor number request · cell · irs
    # Request for taxpayer identification number
    name: Name (as shown on your income tax return)
    dba: Business name, if different from above
    addr: Address (number, street, and apt. or suite no.)
    town: City, state, and ZIP code
    requester: Requester's name and address (optional) {lines}
    ssn: Social security number {3-2-4}
    ein: Employer identification number {2-7}
    list
    Vendor Name = Ada Lovelace; Grace Hopper -> name
    DBA = Lovelace Engines; Hopper Bugs -> dba
    Street = 12 Elm St; 9 Oak Ave -> addr
    City = Boston; Salem -> town
    State = MA; OR -> town
    Zip = 02110; 97301 -> town
    EIN = 12-3456789; 98-7654321 -> ein.1 ein.2
    """,
    """
    form state return · left · acrobat
    you: Last Name, First Name, Initial {name=Last Name First Name Initial} | ssn: Your Social Security Number {name=Your Social Security Number}
    addr: Home Address {name=Home Address} | sssn: Spouse's SSN {name=Spouses SSN}
    city: City {name=City Town Post Office} | state: State {name=State} | zip: ZIP Code {name=ZIP Code}
    # Dependents
    @4 dep: Last Name, First Name | Social Security Number | Birth Year
    --
    names2: Name(s) as shown on return {name=Names as shown} | ssn2: Your Social Security Number {name=Your Social Security Number_2}
    wages: Wages, salaries, tips {name=15} | pensions: Pensions {name=20a}
    list
    First Name = Ada; Grace -> you names2
    Last Name = Lovelace; Hopper -> you names2
    SSN = 123-45-6789; 987-65-4321 -> ssn ssn2
    Street = 12 Elm St; 9 Oak Ave -> addr
    City = Boston; Salem -> city
    State = MA; OR -> state
    Zip = 02110; 97301 -> zip
    DOB = 1980-12-10; 1979-01-02 -> none
    Wages = 52000; 61000 -> wages
    """,
    """
    form court motion · left · snake
    plaintiff: Plaintiff {name=plaintiff_name} | defendant: Defendant {name=defendant_name}
    docket: Docket no. {name=docket_number} | court: Court {name=court_name}
    reason: Reason {lines} {name=reason}
    # Plaintiff's attorney
    aname: Name {name=attorney_name} | aphone: Phone {name=attorney_phone} | bbo: BBO # {name=attorney_bbo}
    list
    Plaintiff = Ada Lovelace; Grace Hopper -> plaintiff
    Defendant = Ben Moss; Cleo Carr -> defendant
    Docket = 26-001; 26-002 -> docket
    Attorney = Dan Dorn; Eve Ely -> aname
    Phone = 617-555-0100; 503-555-0111 -> none
    """,
    """
    form discharge review · above · xfa · tips
    # SECTION I. APPLICANT
    last: 1. NAME - enter last name | first: 1. NAME - enter first name
    cname: 2. CURRENT NAME (If different) - enter last name
    street: 3. MAILING ADDRESS - STREET ADDRESS | city: 3. MAILING ADDRESS - CITY | zip: 3. MAILING ADDRESS - ZIP CODE
    email: 3. MAILING ADDRESS - EMAIL | phone: 3. MAILING ADDRESS - PHONE
    # SECTION II. COUNSEL OR REPRESENTATIVE
    rlast: 12. NAME - enter last name | rfirst: 12. NAME - enter first name
    rstreet: 13. ADDRESS - STREET ADDRESS | remail: 13. ADDRESS - EMAIL | rphone: 13. ADDRESS - PHONE
    list
    lastName = Lovelace; Hopper -> last
    firstName = Ada; Grace -> first
    address = 12 Elm St; 9 Oak Ave -> street
    city = Boston; Salem -> city
    zipCode = 02110; 97301 -> zip
    emailAddress = ada@example.org; grace@example.org -> email
    phoneNumber = 617-555-0100; 503-555-0111 -> phone
    """,
    """
    form volunteer registration · left · text
    name: Name (Last, First)
    bday: Birthday {2-2-4}
    addr: Street | town: City/State/ZIP
    phone: Phone ( {3-3-4}
    shirt: T-shirt size | skills: Skills {lines}
    list
    First Name = Ada; Grace -> name
    Surname = Lovelace; Hopper -> name
    Birthday = 12/10/1980; 01/02/1979 -> bday.1="12" bday.2="10" bday.3="1980"
    Street Addr. = 12 Elm St; 9 Oak Ave -> addr
    City = Boston; Salem -> town
    State = MA; OR -> town
    Zip = 02110; 97301 -> town
    Phone = 617-555-0100; 503-555-0111 -> phone.1="617" phone.2="555" phone.3="0100"
    Shirt = M; L -> shirt
    """,
    """
    form membership · left · camel
    first: First name {name=firstName} | last: Last name {name=lastName}
    addr: Street {name=street} | city: City {name=city} | state: State {2} {name=state} | zip: ZIP {5} {name=zip}
    phone: Phone {name=phone} | type: Membership type {name=membershipType}
    list
    Name = "Lovelace, Ada"; "Hopper, Grace" -> first="Ada" last="Lovelace"
    Address = "12 Elm St, Boston, MA 02110"; "9 Oak Ave, Salem, OR 97301" -> addr="12 Elm St" city="Boston" state="MA" zip="02110"
    Phone # = 617-555-0100; 503-555-0111 -> phone
    Type = family; single -> type
    """,
]
