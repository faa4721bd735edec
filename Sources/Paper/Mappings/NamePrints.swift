import Glibc
import Work

/// A set of numbers: a few are held in memory, many stand in a file without a name, which goes with the program, so that
/// memory stays the same however many there are. Where no such file can be written, all are held.
final class NamePrints {
    private var held: Set<UInt64> = []
    private var table: PrintTable?
    private static let mostHeld = 1 << 15

    func contains(_ print: UInt64) -> Bool { held.contains(print) || table?.contains(print) == true }

    /// True when it was not there before.
    func insert(_ print: UInt64) -> Bool {
        if let table {
            if held.contains(print) { return false }
            switch table.insert(print) {
            case .isNew: return true
            case .wasThere: return false
            case .noRoom: return held.insert(print).inserted
            }
        }
        guard held.insert(print).inserted else { return false }
        if held.count == Self.mostHeld, let table = PrintTable(places: Self.mostHeld * 8),
            held.allSatisfy({ table.insert($0) == .isNew })
        {
            held = []
            self.table = table
        }
        return true
    }
}

/// Numbers in a file, each at the first free place from the one that it names itself.
private final class PrintTable {
    enum Inserted { case isNew, wasThere, noRoom }

    private var file: Int32
    /// A power of two, more than twice as many as there are numbers.
    private var places: Int
    private var count = 0

    init?(places: Int) {
        self.places = places
        file = -1
        file = Self.nameless(places)
        if file < 0 { return nil }
    }

    deinit { if file >= 0 { close(file) } }

    func contains(_ print: UInt64) -> Bool { find(print)?.isThere == true }

    func insert(_ print: UInt64) -> Inserted {
        if count * 2 >= places, !grow() { return .noRoom }
        guard let (place, isThere) = find(print) else { return .noRoom }
        if isThere { return .wasThere }
        var number = Self.kept(print)
        guard pwrite(file, &number, 8, off_t(place * 8)) == 8 else { return .noRoom }
        count += 1
        return .isNew
    }

    /// Where a number stands or could stand; nil when the file cannot be read.
    private func find(_ print: UInt64) -> (place: Int, isThere: Bool)? {
        let number = Self.kept(print)
        var place = Int(truncatingIfNeeded: number) & (places - 1)
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.step) { some in
            while true {
                let wanted = min(Self.step, places - place)
                guard pread(file, some.baseAddress, wanted * 8, off_t(place * 8)) == wanted * 8 else {
                    return nil
                }
                for index in 0..<wanted where some[index] == 0 || some[index] == number {
                    return (place + index, some[index] == number)
                }
                place = (place + wanted) & (places - 1)
            }
        }
    }

    private static let step = 8

    /// No number is nothing.
    private static func kept(_ print: UInt64) -> UInt64 { max(print, 1) }

    private func grow() -> Bool {
        guard let larger = PrintTable(places: places * 4) else { return false }
        var some = [UInt64](repeating: 0, count: 4096)
        for start in stride(from: 0, to: places, by: some.count) {
            let wanted = min(some.count, places - start)
            guard pread(file, &some, wanted * 8, off_t(start * 8)) == wanted * 8 else { return false }
            for number in some[..<wanted] where number != 0 {
                guard larger.insert(number) == .isNew else { return false }
            }
        }
        swap(&file, &larger.file)
        places = larger.places
        return true
    }

    private static func nameless(_ places: Int) -> Int32 {
        let file = NamelessFile.open()
        guard file >= 0 else { return file }
        if ftruncate(file, off_t(places * 8)) == 0 { return file }
        close(file)
        return -1
    }
}
