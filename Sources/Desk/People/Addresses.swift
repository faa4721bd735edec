/// What looks like an address of e-mail: enough to tell a column of them, and to point at those that cannot work.
enum Addresses {
    /// One address, or several with commas or semicolons between them.
    static func areAll(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var isAny = false
            for part in bytes.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }) {
                guard isOne(UnsafeBufferPointer(rebasing: part)) else { return false }
                isAny = true
            }
            return isAny
        }
    }

    /// `ada@example.org` or `Ada <ada@example.org>`.
    static func isOne(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var address = bytes[...]
        while address.first == 0x20 { address = address.dropFirst() }
        while address.last == 0x20 { address = address.dropLast() }
        if address.last == UInt8(ascii: ">"), let open = address.lastIndex(of: UInt8(ascii: "<")) {
            address = address[(open + 1)...].dropLast()
        }
        guard address.count <= 254, let at = address.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = address[..<at]
        let domain = address[(at + 1)...]
        guard (1...64).contains(local.count), domain.contains(UInt8(ascii: ".")) else { return false }
        guard local.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"()<>,;:\\\"@[]".utf8.contains($0) }) else {
            return false
        }
        var label = 0
        for byte in domain {
            if byte == UInt8(ascii: ".") {
                guard label > 0 else { return false }
                label = 0
                continue
            }
            let isLetter = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte >= 0x80
            guard isLetter || byte == UInt8(ascii: "-") else { return false }
            label += 1
        }
        return label > 1
    }
}
