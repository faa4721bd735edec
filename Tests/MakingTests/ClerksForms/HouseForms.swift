// Forms about homes, cars, health and insurance. `ClerksForm` tells how they are read.

let houseForms = [
    """
    form residential lease · left · camel
    # Landlord
    lname: Name {name=LandlordName} | laddr: Address {name=LandlordAddress} | lphone: Phone {name=LandlordPhone}
    # Tenant
    tname: Name {name=TenantName} | tphone: Phone {name=TenantPhone} | tmail: Email {name=TenantEmail}
    # Premises
    paddr: Street {name=PremisesStreet} | punit: Unit {name=PremisesUnit} | pcity: City {name=PremisesCity} | pzip: ZIP {name=PremisesZip}
    begin: Lease begins {name=LeaseStart} | end: Lease ends {name=LeaseEnd}
    rent: Monthly rent {name=MonthlyRent} | dep: Security deposit {name=SecurityDeposit} | late: Late fee {name=LateFee}
    # Agent for the landlord
    aname: Name {name=AgentName} | aphone: Phone {name=AgentPhone}
    list
    Tenant = @full -> tname
    Tenant Phone = @phone -> tphone
    Tenant Email = @email -> tmail
    Landlord = Ben Moss; Cleo Carr -> lname
    Unit = 3; 4b -> punit
    Rent = 1200; 950 -> rent
    Deposit = 1200; 950 -> dep
    Start = 2026-01-01; 2026-02-01 -> begin
    End = 2026-12-31; 2027-01-31 -> end
    list
    Name = @full -> tname
    Phone = @phone -> tphone
    Email = @email -> tmail
    Lease Start Date = 2026-01-01; 2026-02-01 -> begin
    Lease End Date = 2026-12-31; 2027-01-31 -> end
    Monthly Rent = 1200; 950 -> rent
    Sec. Dep. = 1200; 950 -> dep
    """,
    """
    form tenant screening · above · text
    # Applicant
    full: Full legal name | dob: Date of birth | ssn: Social Security No. | dl: Driver's license no.
    phone: Phone | mail: Email
    # Present address
    addr: Street | city: City | state: State | zip: Zip | since: Since
    ll: Landlord or manager | llphone: Phone | rent: Rent
    # Previous address
    paddr: Street | pcity: City | pstate: State | pzip: Zip | psince: From / to
    pll: Landlord or manager | pllphone: Phone
    # Employment
    emp: Employer | pos: Position | boss: Supervisor | empphone: Phone | inc: Monthly income
    # Personal references
    @2 ref: Name | Phone | Relationship
    # Vehicles
    @2 car: Make | Model | Year | Plate
    list
    Applicant = @full -> full
    D.O.B. = @birth -> dob
    S.S.N. = @ssn -> ssn
    Phone No. = @phone -> phone
    Email = @email -> mail
    Street = @street -> addr
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Landlord = Ben Moss; Cleo Carr -> ll
    Employer = Elm Mills; Oak Works -> emp
    Income = 4100; 3900 -> inc
    License # = S1234; S5678 -> dl
    list
    first_name = @first -> full
    last_name = @last -> full
    previous_street = 7 Ash St; 8 Fir Rd -> paddr
    previous_city = Lynn; Bend -> pcity
    previous_landlord = Dan Dorn; Eve Ely -> pll
    employer_name = Elm Mills; Oak Works -> emp
    employer_phone = @phone2 -> empphone
    supervisor = Fay Fox; Gus Gray -> boss
    """,
    """
    form medical intake · left · text
    # Patient
    name: Name | dob: Birth date | age: Age
    male: M {box} | female: F {box}
    addr: Address | town: City/State/Zip
    home: Home phone | cell: Cell phone | ssn: SS#
    emp: Employer | occ: Occupation
    # Spouse or parent
    sp: Name | spdob: Birth date | spemp: Employer
    # Emergency contact
    em: Name | emph: Phone | emrel: Relationship
    # Insured person
    ins: Name | insdob: Birth date | insid: Member ID | insgrp: Group no.
    # Referred by
    ref: Physician | refph: Phone
    list
    Patient Name = @full -> name
    Patient DOB = @birthus -> dob
    Sex = F; M -> male female
    Address = @address -> addr="12 Elm St" town="Boston, MA 02110"
    Cell Phone = @phone -> cell
    SSN = @ssn -> ssn
    Employer = Elm Mills; Oak Works -> emp
    Emergency Name = Ben Moss; Cleo Carr -> em
    Emergency Phone = @phone2 -> emph
    Insured Name = Ben Lovelace; Vincent Hopper -> ins
    Insured DOB = 1979-02-03; 1978-03-04 -> insdob
    Member ID = M-100; M-200 -> insid
    Group = G-1; G-2 -> insgrp
    Referring Physician = Dr. Grey; Dr. Who -> ref
    list
    pt_name = @full -> name
    pt_dob = @birth -> dob
    pt_addr = @street -> addr
    pt_city = @city -> town
    pt_state = @state -> town
    pt_zip = @zip -> town
    pt_home_phone = @phone -> home
    pt_employer = Elm Mills; Oak Works -> emp
    spouse_name = Ben Lovelace; Vincent Hopper -> sp
    """,
    """
    form vehicle title transfer · cell · acrobat
    # Vehicle
    vin: Vehicle identification number {17 comb} {name=VIN} | year: Year {name=Year} | make: Make {name=Make} | model: Model {name=Model}
    plate: License plate {name=License plate} | odo: Odometer reading {name=Odometer reading}
    # Buyer
    bname: Name {name=Name} | baddr: Address {name=Address} | bcity: City {name=City} | bstate: State {name=State} | bzip: ZIP {name=ZIP}
    bdl: Driver license number {name=Driver license number} | bphone: Phone {name=Phone}
    # Seller
    sname: Name {name=Name_2} | saddr: Address {name=Address_2} | scity: City {name=City_2} | sstate: State {name=State_2} | szip: ZIP {name=ZIP_2}
    price: Selling price {name=Selling price} | sdate: Date of sale {name=Date of sale}
    # Lienholder
    lname: Name {name=Name_3} | laddr: Address {name=Address_3}
    list
    VIN = 1HGCM82633A004352; 2HGCM82633A004353 -> vin
    Year = 2019; 2020 -> year
    Make = Honda; Ford -> make
    Model = Civic; Focus -> model
    Plate = ABC 123; DEF 456 -> plate
    Mileage = 41000; 52000 -> ?odo
    Buyer = @full -> bname
    Buyer Address = @street -> baddr
    Buyer City = @city -> bcity
    Buyer State = @state -> bstate
    Buyer Zip = @zip -> bzip
    Seller = Ben Moss; Cleo Carr -> sname
    Seller Address = 7 Ash St; 8 Fir Rd -> saddr
    Price = 9000; 8000 -> price
    Sale Date = 2026-01-05; 2026-02-01 -> sdate
    Lienholder = First Bank; Elm Bank -> lname
    """,
    """
    form accident claim · left · hash
    # Insured
    name: Name | pol: Policy number | phone: Phone | mail: E-mail
    addr: Address | city: City | state: State | zip: ZIP
    # Accident
    date: Date of accident | time: Time | place: Location | police: Police report number
    # Other driver
    oname: Name | ophone: Phone | oins: Insurance company | opol: Policy number
    # Witness
    wname: Name | wphone: Phone
    # Agent
    aname: Name | aphone: Phone
    list
    Policyholder = @full -> name
    Policy No. = P-1001; P-1002 -> pol
    Phone = @phone -> phone
    E-mail = @email -> mail
    Address = @street -> addr
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Date of Accident = 2026-01-05; 2026-02-01 -> date
    Loc. = Main & 1st; Elm & 2nd -> place
    Witness = Ben Moss; Cleo Carr -> wname
    Witness phone = @phone2 -> wphone
    list
    insuredName = @full -> name
    policyNumber = P-1001; P-1002 -> pol
    accidentDate = 2026-01-05; 2026-02-01 -> date
    otherDriver = Dan Dorn; Eve Ely -> oname
    otherDriverPhone = @phone2 -> ophone
    agentName = Fay Fox; Gus Gray -> aname
    """,
    """
    form care power of attorney · above · text
    # Principal
    pname: Name | pdob: Date of birth | paddr: Address
    # Agent
    aname: Name | aaddr: Address | aphone: Phone
    # First alternate agent
    a1: Name | a1addr: Address | a1phone: Phone
    # Second alternate agent
    a2: Name | a2addr: Address | a2phone: Phone
    # Witnesses
    w1: Witness 1 name | w2: Witness 2 name
    # Notary
    nname: Notary | ncounty: County | nexp: My commission expires
    list
    Principal = @full -> pname
    Principal DOB = @birth -> pdob
    Principal Address = @address -> paddr
    Agent = Ben Moss; Cleo Carr -> aname
    Agent Phone = @phone2 -> aphone
    Alternate Agent = Dan Dorn; Eve Ely -> a1
    County = Suffolk; Marion -> ?ncounty
    list
    Name = @full -> pname
    DOB = @birth -> pdob
    Address = @address -> paddr
    Phone = @phone -> none
    """,
    """
    form donation receipt · below · text
    no: Receipt no. | date: Date
    donor: Received from | addr: Address
    amt: Amount | words: Amount in words | how: Paid by
    fund: For | rec: Received by
    list
    Receipt # = 101; 102 -> no
    Date = 2026-01-05; 2026-02-01 -> date
    Donor = @full -> donor
    Donor Address = @address -> addr
    Amount = 50.00; 75.00 -> amt
    Payment Method = cash; check -> how
    """,
    """
    form pet adoption · left · camel
    # Adopter
    name: Name {name=AdopterName} | addr: Address {name=AdopterAddress} | phone: Phone {name=AdopterPhone}
    # Pet
    pname: Name {name=PetName} | breed: Breed {name=PetBreed} | age: Age {name=PetAge} | chip: Microchip no. {name=MicrochipNumber}
    # Veterinarian
    vname: Name {name=VetName} | vphone: Phone {name=VetPhone}
    fee: Adoption fee {name=AdoptionFee}
    list
    Adopter = @full -> name
    Address = @address -> addr
    Phone = @phone -> phone
    Pet = Rex; Mia -> pname
    Breed = Poodle; Tabby -> breed
    Microchip = 985001; 985002 -> chip
    Vet = Dr. Grey; Dr. Who -> vname
    Fee = 100; 80 -> fee
    """,
    """
    form home insurance quote · cell · textfields · held
    # Applicant
    fn: First name | ln: Last name | dob: Date of birth | occ: Occupation
    # Co-applicant
    cfn: First name | cln: Last name | cdob: Date of birth
    # Mailing address
    str: Street | city: City | st: State | zip: ZIP
    # Location of property (if different)
    pstr: Street | pcity: City | pst: State | pzip: ZIP
    built: Year built | area: Square feet | roof: Roof type
    # Mortgagee
    mname: Name | mloan: Loan number
    # Producer
    prod: Agency name | pcode: Agency code
    list
    FirstName = @first -> fn
    LastName = @last -> ln
    BirthDate = @birth -> dob
    Occupation = Clerk; Nurse -> occ
    Street = @street -> str
    City = @city -> city
    State = @state -> st
    Zip = @zip -> zip
    YearBuilt = 1950; 1960 -> built
    SqFt = 1800; 2100 -> area
    Roof = slate; tile -> roof
    CoApplicantFirst = Ben; Vincent -> cfn
    CoApplicantLast = Moss; Hopper -> cln
    LoanNo = L-1; L-2 -> mloan
    """,
    """
    form dental records release · above · acrobat · held
    # Patient
    name: Patient name {name=Patient name} | dob: Date of birth {name=Date of birth} | phone: Phone {name=Phone}
    addr: Street address {name=Street address} | town: City, State, ZIP {name=City State ZIP}
    # Release records from
    from: Name of office {name=Name of office} | fphone: Phone {name=Phone_2} | fax: Fax {name=Fax}
    # Release records to
    to: Name of office {name=Name of office_2} | tphone: Phone {name=Phone_3} | tfax: Fax {name=Fax_2}
    # Authorization
    exp: This authorization expires on {name=expires} | rel: Relationship to patient {name=Relationship to patient}
    # Office use only
    by: Completed by {name=Completed by} | odate: Date {name=Date}
    list
    Pt Name = @lastfirst -> name
    DOB = @birthus -> dob
    Ph. = @phone -> phone
    Street = @street -> addr
    City = @city -> town
    State = @state -> town
    ZIP = @zip -> town
    Fax = 617-555-0177; 503-555-0166 -> none
    Expires = 2027-01-05; 2027-02-01 -> exp
    list
    patient_full_name = @full -> name
    patient_birth_date = @birth -> dob
    patient_phone = @phone -> phone
    patient_address = @address -> addr="12 Elm St" town="Boston, MA 02110"
    """,
    """
    form roommate agreement · left · text · held
    # Premises
    addr: Address of apartment | rent: Total rent | start: Starting date | end: Ending date
    # Roommate 1
    r1: Name | r1rent: Share of rent | r1mail: E-mail
    # Roommate 2
    r2: Name | r2rent: Share of rent | r2mail: E-mail
    # Landlord
    ll: Name | llphone: Phone
    list
    Roommate 1 = @full -> r1
    Roommate 1 email = @email -> r1mail
    Roommate 2 = Ben Moss; Cleo Carr -> r2
    Roommate 2 share = 600; 500 -> r2rent
    Total Rent = 1200; 1000 -> rent
    Start Date = 2026-01-01; 2026-02-01 -> start
    End Date = 2026-12-31; 2027-01-31 -> end
    Landlord = Dan Dorn; Eve Ely -> ll
    Phone = @phone -> none
    """,
]
