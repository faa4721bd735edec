// Forms of schools, clubs, churches and libraries. `ClerksForm` tells how they are read.

let schoolForms = [
    """
    form student enrolment · above · text
    # Student information
    last: Legal last name | first: Legal first name | mid: Middle name | nick: Goes by
    dob: Date of birth | grade: Grade entering | lang: Language spoken at home
    male: Male {box} | female: Female {box}
    addr: Home address | city: City | state: State | zip: ZIP
    school: Last school attended | scity: City and state of that school
    # Parent/Guardian 1
    p1: Name | p1rel: Relationship to student | p1cell: Cell phone | p1mail: Email
    p1emp: Employer | p1work: Work phone
    # Parent/Guardian 2
    p2: Name | p2rel: Relationship to student | p2cell: Cell phone | p2mail: Email
    # Emergency contacts other than parents
    @2 em: Name | Relationship | Phone
    # Brothers and sisters
    @3 sib: Name | Grade | School
    # School use only
    sid: Student ID | start: Date enrolled | room: Teacher
    list
    Student_Last_Name = @last -> last
    Student_First_Name = @first -> first
    Student_Middle_Name = King; Brewster -> mid
    Student_DOB = @birth -> dob
    Gender = Male; Female -> male female
    Grade_Level = 5; 6 -> grade
    Home_Language = English; Spanish -> lang
    Street = @street -> addr
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Guardian1_Name = Anne Byron; Mary Murray -> p1
    Guardian1_Cell = @phone -> p1cell
    Guardian1_Email = @email -> p1mail
    Guardian2_Name = Ben Byron; Walter Hopper -> p2
    Guardian2_Email = ben@example.org; walter@example.org -> p2mail
    list
    Child's last name = @last -> last
    Child's first name = @first -> first
    Nickname = Addie; Gracie -> nick
    Birthday = @birth -> dob
    Entering grade = 5; 6 -> grade
    Address = @street -> addr
    Town = @city -> city
    Zip code = @zip -> zip
    Phone = @phone -> none
    Teacher = Ms Ito; Mr Diaz -> ?room
    """,
    """
    form medication at school · left · text
    # To be completed by the parent
    name: Student name | dob: DOB | grade: Grade
    school: School | year: School year
    # To be completed by the prescriber
    med: Name of medication | dose: Dosage | time: Time to be given
    route: Route | side: Possible side effects {lines}
    doc: Name of prescriber | docphone: Phone | docfax: Fax
    # Parent consent
    parent: Printed name of parent | pphone: Daytime phone | pdate: Date
    # Nurse's record
    nurse: Nurse | rec: Date received
    list
    Student = @full -> name
    Birth date = @birth -> dob
    Grade = 3; 4 -> grade
    School = Elm School; Oak School -> school
    Medication = Ibuprofen; Amoxicillin -> med
    Dose = 200 mg; 5 ml -> dose
    Doctor = Dr. Grey; Dr. Who -> doc
    Doctor phone = @phone2 -> docphone
    Parent name = Anne Byron; Mary Murray -> parent
    Parent phone = @phone -> pphone
    list
    STUDENT NAME = @lastfirst -> name
    DOB = @birthus -> dob
    GR = 3; 4 -> grade
    MED NAME = Ibuprofen; Amoxicillin -> med
    DOSAGE = 200 mg; 5 ml -> dose
    PHONE = @phone -> ?pphone
    """,
    """
    form sports club registration · cell · acrobat
    # Player
    first: First name {name=First name} | last: Last name {name=Last name} | dob: Date of birth {name=Date of birth}
    team: Team {name=Team} | jersey: Jersey size {name=Jersey size} | years: Years played {name=Years played}
    # Father
    ffirst: First name {name=First name_2} | flast: Last name {name=Last name_2} | fcell: Cell {name=Cell} | fmail: E-mail {name=Email}
    # Mother
    mfirst: First name {name=First name_3} | mlast: Last name {name=Last name_3} | mcell: Cell {name=Cell_2} | mmail: E-mail {name=Email_2}
    addr: Family address {name=Family address} | city: City {name=City} | zip: ZIP {name=ZIP}
    # Insurance
    insurer: Insurance company {name=Insurance company} | policy: Policy number {name=Policy number} | holder: Policy holder {name=Policy holder}
    # Coach
    coach: Name {name=Name} | cphone: Phone {name=Phone}
    list
    Player First = @first -> first
    Player Last = @last -> last
    Player DOB = @birth -> dob
    Team = Hawks; Owls -> team
    Shirt Size = M; L -> jersey
    Dad First = Ben; Walter -> ffirst
    Dad Last = Byron; Hopper -> flast
    Dad Cell = @phone -> fcell
    Mom First = Anne; Mary -> mfirst
    Mom Last = Byron; Murray -> mlast
    Mom Email = @email -> mmail
    Policy No = P-1001; P-1002 -> policy
    list
    First = @first -> first
    Last = @last -> last
    Birthdate = @birthus -> dob
    Address = @street -> addr
    City = @city -> city
    Zip = @zip -> zip
    Phone = @phone -> none
    Email = @email -> none
    Coach = Cleo Carr; Dan Dorn -> coach
    """,
    """
    form church membership · left · text
    # About you
    full: Full name | maiden: Maiden name | dob: Date of birth
    addr: Address | town: City, State, Zip
    home: Home phone | cell: Cell phone | mail: E-mail
    bapt: Date of baptism | bplace: Church of baptism
    # Spouse
    sname: Full name | sdob: Date of birth | sbapt: Date of baptism
    wed: Date of marriage
    # Children at home
    @4 kid: Name | Date of birth | Baptised (date)
    # Office use
    rec: Received on | env: Envelope number
    list
    Member Name = @full -> full
    Address = @street -> addr
    City = @city -> town
    State = @state -> town
    Zip = @zip -> town
    Cell = @phone -> cell
    Email = @email -> mail
    Birthdate = @birth -> dob
    Baptism Date = 1981-01-06; 1980-02-03 -> bapt
    Spouse = Ben Moss; Vincent Hopper -> sname
    Spouse Birthdate = 1979-02-03; 1978-03-04 -> sdob
    Anniversary = 2005-06-07; 2001-08-09 -> ?wed
    Envelope # = 12; 14 -> env
    list
    First Name = @first -> full
    Last Name = @last -> full
    Full address = @address -> addr="12 Elm St" town
    Mobile phone = @phone -> cell
    Date of birth = @birth -> dob
    Children = 2; 3 -> none
    """,
    """
    form library card · left · camel
    name: Name (Last, First, Middle) {name=PatronName}
    street: Street {name=MailStreet} | apt: Apt. {name=MailApt} | city: City {name=MailCity} | zip: Zip {name=MailZip}
    phone: Phone {name=Phone} | mail: E-mail {name=Email} | bday: Birth date {2-2-4} {name=Birth}
    pin: Choose a 4-digit PIN {4} {name=Pin}
    # If under 18: parent or guardian
    parent: Name {name=ParentName} | plic: Driver's license no. {name=ParentLicense}
    # Staff
    card: Card number {name=CardNumber} | staff: Issued by {name=StaffInitials} | exp: Expires {name=Expires}
    list
    Last Name = @last -> name
    First Name = @first -> name
    Address = @street -> street
    City = @city -> city
    Zip = @zip -> zip
    Phone = @phone -> phone
    Email = @email -> mail
    DOB = 12/10/1980; 01/02/1979 -> bday.1="12" bday.2="10" bday.3="1980"
    Library Card No. = 2900101; 2900102 -> card
    Parent = Anne Byron; Mary Murray -> parent
    list
    patron = @lastfirst -> name="Lovelace, Ada"
    street_address = @street -> street
    postal_code = @zip -> zip
    telephone = @phone -> phone
    email_address = @email -> mail
    """,
    """
    form volunteer agreement · above · hash · tips
    # Volunteer
    name: Name | dob: Date of birth | shirt: Shirt size
    street: Street address | city: City | state: State | zip: Zip
    phone: Phone | mail: Email | emp: Employer
    # In case of emergency, please notify
    ename: Name | ephone: Phone | erel: Relationship
    # References (not related to you)
    @2 ref: Name | Phone | How long known
    # For staff
    back: Background check date | sup: Supervisor
    list
    Vol Name = @full -> name
    DOB = @birth -> dob
    T-Shirt = M; L -> shirt
    Street Address = @street -> street
    City = @city -> city
    ST = @state -> state
    ZIP = @zip -> zip
    Ph = @phone -> phone
    E-mail = @email -> mail
    Emerg. Contact = Ben Moss; Cleo Carr -> ename
    Emerg. Phone = @phone2 -> ephone
    Emerg. Relationship = brother; mother -> erel
    """,
    """
    form field day roster · above · text
    trip: Event | when: Date of event | where: Place
    teacher: Teacher in charge | tcell: Cell
    # Participants
    @5 part: Last name | First name | Grade | Emergency phone
    list
    Event = Field day; Fair -> trip
    Event date = 2026-05-06; 2026-06-07 -> when
    Location = Elm Park; Oak Hall -> ?where
    Teacher = Ms Ito; Mr Diaz -> teacher
    First name = @first -> none
    Last name = @last -> none
    Grade = 5; 6 -> none
    """,
    """
    form scholarship application · below · textfields
    # Applicant
    first: First name | mi: M.I. {1} | last: Last name
    addr: Permanent address | city: City | state: State {2} | zip: ZIP {5}
    mail: E-mail | phone: Telephone
    hs: High school | gpa: GPA | gradd: Graduation date
    college: College you will attend | major: Intended major
    # Father or guardian
    fname: Name | focc: Occupation | femp: Employer
    # Mother or guardian
    mname: Name | mocc: Occupation | memp: Employer
    # Recommendation
    rec: Name of teacher | recmail: E-mail | recschool: School
    list
    First Name = @first -> first
    Middle Initial = K; B -> mi
    Last Name = @last -> last
    Street = @street -> addr
    City = @city -> city
    State = @state -> state
    Zip = @zip -> zip
    Email = @email -> mail
    Phone = @phone -> phone
    High School = Elm High; Oak High -> hs
    G.P.A. = 3.9; 3.7 -> gpa
    Major = Mathematics; Physics -> major
    Occupation = Clerk; Nurse -> none
    Mother's name = Anne Byron; Mary Murray -> mname
    Mother's occupation = Clerk; Nurse -> mocc
    Recommender = Cleo Carr; Dan Dorn -> ?rec
    """,
    """
    form child care agreement · left · snake · held
    # Child
    cname: Name {name=child_name} | cdob: Birth date {name=child_birth} | cage: Age {name=child_age}
    allergy: Allergies {name=allergies} | start: First day of care {name=start_date}
    # Mother / guardian
    mname: Name {name=mother_name} | mwork: Work phone {name=mother_work_phone} | mcell: Cell {name=mother_cell}
    memp: Place of work {name=mother_employer}
    # Father / guardian
    fname: Name {name=father_name} | fwork: Work phone {name=father_work_phone} | fcell: Cell {name=father_cell}
    # Persons allowed to pick up
    @3 pick: Name | Phone | Relationship
    # Physician
    dname: Name {name=physician_name} | dphone: Phone {name=physician_phone} | daddr: Address {name=physician_address}
    rate: Weekly rate {name=weekly_rate} | deposit: Deposit {name=deposit}
    list
    Child = @full -> cname
    DOB = @birth -> cdob
    Age = 4; 3 -> cage
    Allergies = nuts; none -> allergy
    Start Date = 2026-09-01; 2026-10-01 -> start
    Mom = Anne Byron; Mary Murray -> mname
    Mom cell = @phone -> mcell
    Dad = Ben Byron; Walter Hopper -> fname
    Dad work = @phone2 -> fwork
    Pediatrician = Dr. Grey; Dr. Who -> dname
    Weekly fee = 180; 200 -> rate
    Deposit = 100; 100 -> deposit
    list
    childName = @full -> cname
    birthDate = @birth -> cdob
    motherName = Anne Byron; Mary Murray -> mname
    motherCell = @phone -> mcell
    doctorName = Dr. Grey; Dr. Who -> dname
    doctorPhone = @phone2 -> dphone
    phone = @phone -> none
    """,
    """
    form music lessons · cell · text · held
    # Pupil
    name: Pupil's name | age: Age | school: School
    inst: Instrument | level: Level
    # Bill to
    bname: Name | baddr: Address | bmail: E-mail | bphone: Phone
    # Teacher
    tname: Name | day: Lesson day | time: Time
    list
    Pupil = @full -> name
    Age = 9; 10 -> age
    Instrument = Flute; Cello -> inst
    Teacher = Ms Ito; Mr Diaz -> tname
    Level = 1; 2 -> level
    Parent = Anne Byron; Mary Murray -> ?bname
    Day = Mon; Tue -> day
    """,
    """
    form transcript request · left · textfields · held
    # Student
    last: Last name | first: First name | former: Former name (if any)
    sid: Student ID | dob: Date of birth | dates: Dates attended
    addr: Current address | city: City | state: State | zip: Zip
    mail: Email | phone: Phone
    # Send transcript to
    rname: Name of person or institution | raddr: Address | rcity: City | rstate: State | rzip: Zip
    copies: Number of copies | fee: Amount enclosed
    list
    LAST_NAME = @last -> last
    FIRST_NAME = @first -> first
    STUDENT_ID = 1001; 1002 -> sid
    BIRTH_DATE = @birth -> dob
    ADDRESS = @street -> addr
    CITY = @city -> city
    STATE = @state -> state
    ZIP = @zip -> zip
    EMAIL = @email -> mail
    PHONE = @phone -> phone
    MAIDEN_NAME = Byron; Murray -> former
    COPIES = 2; 1 -> copies
    """,
]
