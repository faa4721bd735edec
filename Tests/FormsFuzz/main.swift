import Glibc
import PDF
import PDFForms
import Work

// Fills spoiled forms until so many seconds of the processor are used: whatever was done to a form, it must be filled
// or refused, within five seconds of the processor and two gigabytes. A busy machine changes neither.
//
//     forms-fuzz SECONDS SEED FOLDER FORM...
//
// Before each try the spoiled file lies in FOLDER/now.pdf and its seed in FOLDER/now, so that what brings the program
// down stays there. Tests/Forms/fuzz starts it, and again after a fall.

guard CommandLine.arguments.count > 4, let seconds = Int(CommandLine.arguments[1]),
    let first = UInt64(CommandLine.arguments[2])
else {
    print("forms-fuzz SECONDS SEED FOLDER FORM...")
    exit(2)
}
let folder = CommandLine.arguments[3]
var space = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space)

let sources = CommandLine.arguments.dropFirst(4).compactMap { try? Source(path: $0) }
guard !sources.isEmpty else {
    print("forms-fuzz: none of the forms can be opened")
    exit(2)
}

func put(_ bytes: [UInt8], _ name: String) {
    guard let file = fopen("\(folder)/\(name)", "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

var seed = first
var filled = 0
var refused = 0
while true {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    if now.tv_sec >= seconds { break }
    let chance = Chance.seeded(seed)
    let bytes = sources[chance.integer(below: sources.count)].spoiled(chance)
    put(bytes, "now.pdf")
    put(Array("\(seed)".utf8), "now")
    // The timer ends the process: a hang is a fall like any other. The alarm is for one that waits for something.
    var limit = itimerval()
    limit.it_value.tv_sec = 5
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
    alarm(600)
    if Trial(bytes: bytes).run(chance) { filled += 1 } else { refused += 1 }
    seed &+= 1
}
alarm(0)
put([], "now")
print("\(seed &- first) forms: \(filled) filled, \(refused) refused")
