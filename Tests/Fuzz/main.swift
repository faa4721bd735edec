import Glibc
import Work

// Gives spoiled files to one of our readers until so many seconds of the processor are used: whatever was done to a file, it
// must be read or refused, within five seconds of the processor and two gigabytes. A busy machine changes neither.
//
//     fuzz READER SECONDS SEED FOLDER [FILE...]       spoils these, and a few of our own
//     fuzz READER again FILE...                       reads these as they are
//
// Before each try the spoiled file lies in FOLDER/now.bytes and its seed in FOLDER/now, so that what brings the program
// down stays there. bin/fuzz starts it, and again after a fall.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count > 2, let reader = Reader.all.first(where: { $0.name == words[0] }) else {
    print(Reader.all.map(\.name).joined(separator: " "))
    exit(2)
}
var space = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space)

@Sendable func put(_ bytes: [UInt8], _ path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// The timer ends the process: a hang is a fall like any other. The alarm is for one that waits for something.
func limitTime() {
    var limit = itimerval()
    limit.it_value.tv_sec = 5
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
    alarm(600)
}

if words[1] == "again" {
    for path in words.dropFirst(2) {
        guard let bytes = Seeds.file(path) else {
            print("fuzz: \(path) cannot be read")
            exit(2)
        }
        for seed in 1...4 as ClosedRange<UInt64> {
            limitTime()
            _ = reader.read(bytes, .seeded(seed))
        }
    }
    exit(0)
}

guard words.count > 3, let seconds = Int(words[1]), let first = UInt64(words[2]) else { exit(2) }
let folder = words[3]
let spoil = reader.spoiler(words.dropFirst(4).compactMap(Seeds.file))

var seed = first
var readCount = 0
var refusedCount = 0
while true {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    if now.tv_sec >= seconds { break }
    let chance = Chance.seeded(seed)
    let bytes = spoil(chance)
    put(bytes, "\(folder)/now.bytes")
    put(Array("\(seed)".utf8), "\(folder)/now")
    limitTime()
    if reader.read(bytes, chance) { readCount += 1 } else { refusedCount += 1 }
    seed &+= 1
}
alarm(0)
put([], "\(folder)/now")
print("\(seed &- first) \(reader.name): \(readCount) read, \(refusedCount) refused")
// The server's threads have nothing to say any more.
exit(0)
