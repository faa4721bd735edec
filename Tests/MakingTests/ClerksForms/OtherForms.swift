// Forms that have something of everything: wide lists, bare names, words that mislead. `ClerksForm` tells how they are read.

let otherForms = [
    """
    form misleading names · left · camel
    # Member
    a: Date of birth {name=LastName} | b: Last name {name=Surname}
    c: First name {name=GivenName} | d: City {name=Field7}
    list
    Last name = Lovelace; Hopper -> b
    First name = Ada; Grace -> c
    Town = Boston; Salem -> d
    DOB = 1980-12-10; 1979-01-02 -> choice a
    """,
    """
    form claim with a header on each page · left · hash · tips
    name: Claimant's name | claim: Claim number
    dob: Date of birth | injury: Date of injury | emp: Employer
    --
    name2: Claimant's name | claim2: Claim number
    doc: Physician's name | docphone: Physician's phone
    --
    name3: Claimant's name | claim3: Claim number
    wit: Witness name | witphone: Witness phone
    list
    Claimant = Ada Lovelace; Grace Hopper -> name name2 name3
    Claim No. = C-1001; C-1002 -> claim claim2 claim3
    DOB = 1980-12-10; 1979-01-02 -> dob
    DOI = 2026-01-10; 2026-02-02 -> injury
    Employer = Elm Mills; Oak Works -> emp
    Phone = 617-555-0100; 503-555-0111 -> none
    """,
    """
    form household · above · text
    # Applicant
    name: Name | ssn: Social Security number | dob: Date of birth
    # People who live with you
    @4 p: Name | Social Security number | Date of birth | Relationship
    income: Monthly income | rent: Rent
    list
    Name = Ada Lovelace; Grace Hopper -> name
    SSN = 123-45-6789; 987-65-4321 -> ssn
    Birthdate = 1980-12-10; 1979-01-02 -> dob
    Income = 2100; 1800 -> income
    Rent = 1200; 950 -> rent
    """,
    """
    form two phones · left · text
    name: Name
    home: Home phone | work: Work phone
    list
    Full Name = Ada Lovelace; Grace Hopper -> name
    Phone = 617-555-0100; 503-555-0111 -> choice home work
    """,
    """
    form agent of record · left · camel
    # Client
    name: Client name {name=ClientName} | phone: Phone {name=ClientPhone} | mail: Email {name=ClientEmail}
    # Broker
    bname: Broker name {name=BrokerName} | bphone: Phone {name=BrokerPhone} | bmail: Email {name=BrokerEmail}
    license: License number {name=BrokerLicense} | state: License state {name=LicenseState}
    list
    Customer = Ada Lovelace; Grace Hopper -> name
    Telephone = 617-555-0100; 503-555-0111 -> phone
    Mail = ada@example.org; grace@example.org -> mail
    State = MA; OR -> none
    """,
    """
    form certificate of completion · below · text
    name: Name of participant
    course: Course title
    date: Date completed | hours: Hours
    instructor: Instructor
    list
    Participant = Ada Lovelace; Grace Hopper -> name
    Course = First Aid; Welding -> course
    Completed on = 2026-01-10; 2026-02-02 -> date
    Hrs = 8; 16 -> hours
    Instructor = Ben Moss; Cleo Carr -> instructor
    """,
    """
    form medical history · above · xfa
    # Patient
    last: Last name | first: First name | mi: M.I. {1}
    dob: Date of birth | sex: Sex | ssn: SSN
    addr: Address | city: City | state: State | zip: Zip
    home: Home phone | cell: Cell phone | mail: E-mail
    # Responsible party (if not the patient)
    rlast: Last name | rfirst: First name | rdob: Date of birth
    # Primary insurance
    carrier: Insurance company | policy: Policy # | group: Group #
    subscriber: Subscriber name | subdob: Subscriber date of birth
    # Pharmacy
    pharm: Name | pharmphone: Phone
    list
    Pt Last = Lovelace; Hopper -> last
    Pt First = Ada; Grace -> first
    MI = K; B -> mi
    DOB = 12/10/1980; 01/02/1979 -> dob
    Sex = F; F -> sex
    Addr = 12 Elm St; 9 Oak Ave -> addr
    City = Boston; Salem -> city
    State = MA; OR -> state
    Zip = 02110; 97301 -> zip
    Cell = 617-555-0100; 503-555-0111 -> cell
    Ins Co = Elm Mutual; Oak Life -> carrier
    Group # = G-1; G-2 -> group
    """,
    """
    form invoice · left · snake
    no: Invoice no. {name=invoice_no} | date: Invoice date {name=invoice_date} | due: Due date {name=due_date}
    # Bill to
    name: Name {name=bill_to_name} | addr: Address {name=bill_to_address}
    # Ship to
    sname: Name {name=ship_to_name} | saddr: Address {name=ship_to_address}
    total: Total {name=total}
    list
    InvoiceNumber = 1001; 1002 -> no
    InvoiceDate = 2026-01-10; 2026-02-02 -> date
    DueDate = 2026-02-10; 2026-03-02 -> due
    Total = 120.50; 99.00 -> total
    Customer = Ada Lovelace; Grace Hopper -> choice name sname
    """,
    """
    form pay statement · left · camel
    name: Employee {name=EmployeeName} | id: Employee no. {name=EmployeeNumber}
    period: Pay period {name=PayPeriod} | date: Pay date {name=PayDate}
    gross: Gross pay {name=GrossPay} | net: Net pay {name=NetPay} | tax: Tax withheld {name=TaxWithheld}
    company: Employer {name=EmployerName} | ein: Employer EIN {name=EmployerEIN}
    list
    Name = Ada Lovelace; Grace Hopper -> name
    Emp. No. = 1001; 1002 -> id
    Period = 2026-01; 2026-02 -> period
    Gross = 4000; 4200 -> gross
    Net = 3100; 3200 -> net
    Tax = 900; 1000 -> tax
    """,
    """
    form camp registration · left · text
    # Camper
    first: First name | last: Last name
    dob: Birthdate {2-2-4} | age: Age
    # Mother
    mname: Name | mphone: Phone
    # Father
    fname: Name | fphone: Phone
    # Pick-up (other than parents)
    @2 pick: Name | Phone
    list
    camper_first = Ada; Grace -> first
    camper_last = Lovelace; Hopper -> last
    camper_birthdate = 2015-12-10; 2014-01-02 -> dob.1 dob.2 dob.3
    age = 10; 11 -> age
    mother_name = Anne Byron; Mary Hopper -> mname
    mother_phone = 617-555-0100; 503-555-0111 -> mphone
    father_name = Bill Byron; John Hopper -> fname
    father_phone = 617-555-0101; 503-555-0112 -> fphone
    """,
    """
    form name in order · above · textfields
    # Employee
    name: Name (last, first, middle)
    hire: Date of hire | title: Job title
    # Supervisor
    sname: Name | stitle: Job title
    list
    First = Ada; Grace -> name
    Last = Lovelace; Hopper -> name
    Title = Analyst; Admiral -> title
    Hired = 2020-01-05; 2021-02-01 -> hire
    Supervisor = Ben Moss; Cleo Carr -> sname
    """,
]
