// Forms of work and of banks: hiring, pay, time, deposits. `ClerksForm` tells how they are read.

let workForms = [
    """
    form eligibility to work · above · xfa
    # Section 1. Employee information and attestation
    last: Last Name (Family Name) | first: First Name (Given Name) | mi: Middle Initial (if any) {1} | other: Other Last Names Used (if any)
    addr: Address (Street Number and Name) | apt: Apt. Number | city: City or Town | state: State {2} | zip: ZIP Code {5}
    dob: Date of Birth (mm/dd/yyyy) | ssn: U.S. Social Security Number {3-2-4}
    mail: Employee's Email Address | phone: Employee's Telephone Number
    # Preparer and/or translator certification
    plast: Last Name (Family Name) | pfirst: First Name (Given Name)
    paddr: Address (Street Number and Name) | pcity: City or Town | pstate: State | pzip: ZIP Code
    # Section 2. Employer review and verification
    title: Document Title | auth: Issuing Authority | docno: Document Number | exp: Expiration Date
    firstday: First Day of Employment | ename: Name of Employer or Authorized Representative | etitle: Title of Employer or Authorized Representative
    bus: Employer's Business or Organization Name | baddr: Employer's Business Address | bcity: City or Town | bstate: State | bzip: ZIP Code
    # Section 3. Reverification and rehires
    nlast: Last Name (Family Name) | nfirst: First Name (Given Name) | rehire: Date of Rehire
    list
    Last Name = @last -> last
    First Name = @first -> first
    MI = K; B -> mi
    Street = @street -> addr
    Apt = 3; 4b -> apt
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    DOB = @birthus -> dob
    SSN = @ssn -> ssn.1="123" ssn.2="45" ssn.3="6789"
    Email = @email -> mail
    Phone = @phone -> phone
    Start Date = 2026-01-05; 2026-02-01 -> firstday
    list
    emp_lname = @last -> last
    emp_fname = @first -> first
    emp_addr1 = @street -> addr
    emp_city = @city -> city
    emp_state = @state -> state
    emp_zip = @zip -> zip
    emp_dob = @birth -> dob
    emp_ssn = @ssn -> ssn.1 ssn.2 ssn.3
    emp_email = @email -> mail
    company = Elm Mills; Oak Works -> bus
    """,
    """
    form payroll change notice · left · acrobat
    # Employee
    name: Employee name {name=Employee name} | num: Employee no. {name=Employee no} | eff: Effective date {name=Effective date}
    # Present
    odept: Department {name=Department} | otitle: Job title {name=Job title} | orate: Rate of pay {name=Rate of pay}
    # Change to
    ndept: Department {name=Department_2} | ntitle: Job title {name=Job title_2} | nrate: Rate of pay {name=Rate of pay_2}
    reason: Reason for change {name=Reason for change}
    # Approvals
    sup: Supervisor {name=Supervisor} | hr: Human resources {name=Human resources} | adate: Date {name=Date}
    list
    Emp Name = @full -> name
    Emp ID = 1001; 1002 -> num
    Effective = 2026-01-05; 2026-02-01 -> eff
    New Dept = Sales; IT -> ndept
    New Title = Analyst; Lead -> ntitle
    New Rate = 28.50; 31.00 -> nrate
    Reason = merit; transfer -> reason
    Supervisor = Ben Moss; Cleo Carr -> sup
    Date = 2026-01-02; 2026-01-28 -> choice adate
    list
    NAME = @lastfirst -> name
    EMPLOYEE NUMBER = 1001; 1002 -> num
    CURRENT RATE = 27.00; 29.00 -> orate
    CURRENT DEPT = Sales; IT -> odept
    TITLE = Analyst; Lead -> choice otitle ntitle
    """,
    """
    form direct deposit with two accounts · above · snake
    # Employee information
    name: Name {name=employee_name} | ssn: Social Security # {name=employee_ssn} | phone: Phone {name=employee_phone}
    # Account 1
    bank1: Bank name {name=bank_name_1} | rout1: Routing number {9 comb} {name=routing_1} | acct1: Account number {name=account_1} | amt1: Amount {name=amount_1}
    check1: Checking {box} {name=checking_1} | save1: Savings {box} {name=savings_1}
    # Account 2
    bank2: Bank name {name=bank_name_2} | rout2: Routing number {9 comb} {name=routing_2} | acct2: Account number {name=account_2} | amt2: Amount {name=amount_2}
    list
    Name = @full -> name
    SSN = @ssn -> ssn
    Phone = @phone -> phone
    Bank = First Bank; Elm Bank -> bank1
    Routing # = 021000021; 011000015 -> rout1
    Account # = 123456; 998877 -> acct1
    Acct Type = Checking; Savings -> check1 save1
    list
    employee = @full -> name
    bank1_name = First Bank; Elm Bank -> bank1
    bank1_routing = 021000021; 011000015 -> rout1
    bank1_account = 123456; 998877 -> acct1
    bank2_name = Oak Bank; Ash Bank -> bank2
    bank2_routing = 031000021; 041000015 -> rout2
    bank2_account = 223456; 898877 -> acct2
    """,
    """
    form timesheet · left · text
    name: Employee | id: ID | dept: Department
    end: Week ending | sup: Supervisor
    ~ above
    @7 day: Day | In | Out | Hours
    ~ left
    total: Total hours | ot: Overtime | rate: Hourly rate
    list
    Employee Name = @full -> name
    Employee ID = 1001; 1002 -> id
    Dept. = Sales; IT -> dept
    Week Ending = 2026-01-09; 2026-01-16 -> end
    Manager = Ben Moss; Cleo Carr -> sup
    Total Hrs = 40; 38 -> total
    OT = 2; 0 -> ot
    Rate = 28.50; 31.00 -> rate
    Hours = 8; 7 -> none
    """,
    """
    form job application · above · text
    # Personal
    date: Date of application | pos: Position applied for | pay: Salary desired
    last: Last name | first: First name | mid: Middle name
    addr: Street address | city: City | state: State | zip: Zip code
    home: Home phone | cell: Cell phone | mail: Email
    # Education
    @2 edu: School | City | Degree | Year
    # Employment history
    e1: Employer | e1city: City | e1phone: Phone | e1title: Job title
    e1sup: Supervisor | e1from: From | e1to: To
    # References
    @3 ref: Name | Occupation | Phone
    # In case of emergency notify
    em: Name | emphone: Phone
    list
    First = @first -> first
    Last = @last -> last
    Middle = King; Brewster -> mid
    Address = @street -> addr
    City = @city -> city
    State = @state -> state
    ZIP = @zip -> zip
    Cell = @phone -> cell
    Email = @email -> mail
    Position = Analyst; Admiral -> pos
    Applied on = 2026-01-05; 2026-02-01 -> date
    Desired Salary = 60000; 72000 -> pay
    Emergency Contact = Ben Moss; Cleo Carr -> em
    list
    Candidate Name = @full -> last first
    Candidate Email = @email -> mail
    Mobile = @phone -> cell
    Current Employer = Elm Mills; Oak Works -> ?e1
    Job Title = Analyst; Admiral -> choice pos e1title
    """,
    """
    form expense report · left · camel
    name: Employee {name=EmployeeName} | dept: Cost center {name=CostCenter} | per: Period {name=Period}
    purpose: Business purpose {name=Purpose}
    ~ above
    @5 item: Date | Description | Amount
    ~ left
    sub: Subtotal {name=Subtotal} | adv: Less advance {name=Advance} | total: Total due {name=TotalDue}
    # Approved by
    aname: Name {name=ApproverName} | atitle: Title {name=ApproverTitle} | adate: Date {name=ApprovalDate}
    list
    Employee = @full -> name
    Cost Ctr = 4100; 4200 -> dept
    Period = 2026-01; 2026-02 -> per
    Purpose = Trade fair; Visit -> purpose
    Advance = 100; 0 -> adv
    Total = 312.50; 99.00 -> ?total
    Approver = Ben Moss; Cleo Carr -> aname
    Title = Analyst; Lead -> none
    Date = 2026-01-02; 2026-01-28 -> none
    """,
    """
    form pension beneficiary · above · hash · tips
    # Participant
    name: Name of participant | ssn: Social Security number | dob: Date of birth
    addr: Mailing address | phone: Phone | married: Married {box} | single: Single {box}
    # Primary beneficiary
    b1: Name | b1rel: Relationship | b1dob: Date of birth | b1pct: Percent
    # Contingent beneficiary
    b2: Name | b2rel: Relationship | b2dob: Date of birth | b2pct: Percent
    # Spouse's consent
    sp: Spouse's name | spd: Date
    # Witness
    wit: Name of witness | witaddr: Address
    list
    Participant Name = @full -> name
    SSN = @ssn -> ssn
    Date of Birth = @birth -> dob
    Address = @address -> addr
    Telephone = @phone -> phone
    Marital Status = married; single -> married single
    Primary Beneficiary = Ben Moss; Vincent Hopper -> b1
    Primary Beneficiary DOB = 1979-02-03; 1978-03-04 -> b1dob
    Contingent Beneficiary = Cleo Carr; Dan Dorn -> b2
    Spouse = Ben Moss; Vincent Hopper -> sp
    Relationship = spouse; spouse -> none
    """,
    """
    form contractor tax number · cell · irs · tips
    # Request for taxpayer number and certification
    name: 1. Name of entity or individual. An entry is required.
    dba: 2. Business name or disregarded entity name, if different from above
    addr: 5. Address (number, street, and apt. or suite no.)
    town: 6. City, state, and ZIP code
    acct: 7. List account number(s) here (optional)
    req: Requester's name and address (optional) {lines}
    ssn: Social security number {3-2-4}
    ein: Employer identification number {2-7}
    list
    Contractor = @full -> name
    Business Name = Lovelace Engines; Hopper Bugs -> dba
    Address = @street -> addr
    City = @city -> town
    State = @state -> town
    Zip = @zip -> town
    SSN = @ssn -> ssn.1="123" ssn.2="45" ssn.3="6789"
    list
    VENDOR_NAME = @full -> name
    ADDR = @address -> addr="12 Elm St" town="Boston, MA 02110"
    TAX_ID = 12-3456789; 98-7654321 -> ?ein.1 ?ein.2 ?ssn.1 ?ssn.2 ?ssn.3
    PHONE = @phone -> none
    """,
    """
    form withholding with steps · above · irs
    # Step 1: Enter personal information
    first: (a) First name and middle initial | last: Last name | ssn: (b) Social security number
    addr: Address
    town: City or town, state, and ZIP code
    single: Single {box} | joint: Married filing jointly {box} | head: Head of household {box}
    # Step 3: Claim dependents
    kids: Number of qualifying children under age 17 | others: Number of other dependents
    # Employers only
    emp: Employer's name and address | hire: First date of employment | ein: Employer identification number (EIN)
    list
    EMP FIRST = @first -> first
    EMP LAST = @last -> last
    SSN = @ssn -> ssn
    STREET = @street -> addr
    CITY = @city -> town
    ST = @state -> town
    ZIP = @zip -> town
    DEPENDENTS = 2; 3 -> ?kids ?others
    HIRE DATE = 2026-01-05; 2026-02-01 -> hire
    FILING STATUS = Single; Head of household -> single head
    list
    Full Name = @full -> first last
    Address = @street -> addr
    City State Zip = Boston, MA 02110; Salem, OR 97301 -> town
    Birth Date = @birth -> none
    """,
    """
    form leave request · left · text · held
    name: Employee name | pos: Position | unit: Department
    from: First day of leave | to: Last day of leave | days: Number of days
    vac: Vacation {box} | sick: Sick leave {box} | jury: Jury duty {box}
    addr: Address while on leave | phone: Phone while on leave
    # Supervisor
    sname: Name | sdate: Date
    # Human resources only
    bal: Balance | hr: Entered by | hdate: Date
    list
    Name = @full -> name
    Position = Analyst; Lead -> pos
    Dept = Sales; IT -> unit
    Leave From = 2026-07-01; 2026-08-01 -> from
    Leave To = 2026-07-14; 2026-08-10 -> to
    Days = 10; 8 -> days
    Leave Type = Vacation; Sick leave -> vac sick
    Supervisor = Ben Moss; Cleo Carr -> sname
    Phone = @phone -> ?phone
    Address = @address -> ?addr
    """,
    """
    form new vendor · above · snake · held
    # Company
    co: Legal name {name=vendor_legal_name} | dba: Trade name {name=vendor_trade_name} | ein: EIN {name=vendor_ein}
    addr: Street {name=remit_street} | city: City {name=remit_city} | state: State {name=remit_state} | zip: ZIP {name=remit_zip}
    # Contact for orders
    cname: Name {name=order_contact_name} | cphone: Phone {name=order_contact_phone} | cmail: Email {name=order_contact_email}
    # Contact for invoices
    aname: Name {name=ar_contact_name} | aphone: Phone {name=ar_contact_phone} | amail: Email {name=ar_contact_email}
    # Bank
    bank: Bank {name=bank_name} | rout: Routing {name=bank_routing} | acct: Account {name=bank_account}
    # For our office
    buyer: Buyer {name=office_buyer} | vno: Vendor number {name=office_vendor_number}
    list
    Company = Elm Mills; Oak Works -> co
    EIN = 12-3456789; 98-7654321 -> ein
    Street = @street -> addr
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Contact = @full -> choice cname aname
    Email = @email -> choice cmail amail
    Phone = @phone -> choice cphone aphone
    Bank Name = First Bank; Elm Bank -> bank
    Routing No = 021000021; 011000015 -> rout
    Account No = 123456; 998877 -> acct
    """,
    """
    form health plan enrolment · cell · xfa · tips · held
    # Employee
    last: Last name | first: First name | mi: MI {1} | ssn: SSN
    dob: Date of birth | sex: Sex {1} | hire: Date of hire
    addr: Home address | city: City | state: State | zip: ZIP
    # Spouse or domestic partner
    slast: Last name | sfirst: First name | sssn: SSN | sdob: Date of birth
    # Dependent children
    @3 kid: Last name | First name | SSN | Date of birth
    # Other coverage
    carrier: Insurance company | pol: Policy number | holder: Name of policyholder
    list
    Last = @last -> last
    First = @first -> first
    SSN = @ssn -> ssn
    DOB = @birth -> dob
    Sex = F; F -> sex
    DOH = 2020-01-05; 2021-02-01 -> hire
    Address = @street -> addr
    City = @city -> city
    ST = @state -> state
    Zip = @zip -> zip
    Spouse Last = Moss; Hopper -> slast
    Spouse First = Ben; Vincent -> sfirst
    Spouse DOB = 1979-02-03; 1978-03-04 -> sdob
    Child 1 First = Cleo; Dan -> kid1.2
    Child 1 DOB = 2015-02-03; 2016-03-04 -> kid1.4
    Child 2 First = Eve; Fay -> kid2.2
    """,
]
