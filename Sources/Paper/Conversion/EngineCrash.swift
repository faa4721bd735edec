import Work

/// A program ended in the middle of its work, without having been told to and without a word about its paper.
struct EngineCrash: Error, CustomStringConvertible {
    var description: String { "its program crashed twice" }
}

extension Jail {
    /// As `cell`, and once more in a fresh one when the program in it crashed: that may have been chance.
    func steadyCell<R>(_ body: (JailCell) throws -> R) throws -> R {
        do {
            return try cell(body)
        } catch is EngineCrash {
            return try cell(body)
        }
    }
}

extension Child.Outcome {
    /// What wraps a program passes its signal on as 128 and the signal's number. Where it may take next to no memory, that is
    /// why, whatever it said.
    func checkCrash() throws {
        switch ending {
        case .exited(0), .stopped: return
        case .killed, .exited:
            let why = MemoryRoom.shortage(
                for: "this conversion", addressSpace: 1 << 30, memory: 64 << 20)
            if let why { throw ConversionError.tooLittleMemory(why) }
        }
        switch ending {
        case .killed, .exited(129...159): throw EngineCrash()
        case .exited, .stopped: break
        }
    }
}
