internal import COpenSSL

/// The digest of passwords in encrypted PDF files (ISO 32000-2 §7.6.4.3.4, algorithm 2.B): at least 64 rounds of AES
/// over the password and one of three SHA-2 digests, chosen by what came out. Slow on purpose, for others as for us.
public enum DocumentPassword {
    public static let longestByteCount = 127

    public static func digest(password: [UInt8], salt: [UInt8], more: [UInt8] = []) -> [UInt8] {
        guard let cipher = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        defer { EVP_CIPHER_CTX_free(cipher) }
        guard let digester = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        defer { EVP_MD_CTX_free(digester) }
        let digests = [EVP_sha256(), EVP_sha384(), EVP_sha512()]
        precondition(
            EVP_EncryptInit_ex(cipher, EVP_aes_128_cbc(), nil, nil, nil) == 1
                && EVP_CIPHER_CTX_set_padding(cipher, 0) == 1, "OpenSSL without AES")

        var key = SHA256.hash(password + salt + more) + [UInt8](repeating: 0, count: 32)
        var keyCount = 32
        let longest = 64 * (password.count + 64 + more.count)
        var text = [UInt8](repeating: 0, count: longest)
        // OpenSSL may use a block more than comes out.
        var hidden = [UInt8](repeating: 0, count: longest + 16)
        var round = 0
        while true {
            round += 1
            let whole = 64 * (password.count + keyCount + more.count)
            text.withUnsafeMutableBytes { text in
                var filled = 0
                for part in [password[...], key[..<keyCount], more[...]] {
                    part.withUnsafeBytes {
                        UnsafeMutableRawBufferPointer(rebasing: text[filled...]).copyMemory(from: $0)
                    }
                    filled += part.count
                }
                // 64 times the same: what stands there is doubled.
                while filled < whole {
                    UnsafeMutableRawBufferPointer(rebasing: text[filled...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: text[..<filled]))
                    filled *= 2
                }
            }
            key.withUnsafeBufferPointer { key in
                var count: Int32 = 0
                let isDone =
                    EVP_EncryptInit_ex(
                        cipher, nil, nil, key.baseAddress, key.baseAddress.map { $0 + 16 }) == 1
                    && EVP_EncryptUpdate(cipher, &hidden, &count, text, Int32(whole)) == 1
                precondition(isDone && Int(count) == whole, "AES cannot refuse whole blocks")
            }
            // The first block as a number, modulo three: 256 is one modulo three, so its digits may be added.
            let choice = hidden[..<16].reduce(0) { $0 + Int($1) } % 3
            var count: UInt32 = 0
            let isDone =
                EVP_DigestInit_ex(digester, digests[choice], nil) == 1
                && EVP_DigestUpdate(digester, hidden, whole) == 1
                && EVP_DigestFinal_ex(digester, &key, &count) == 1
            precondition(isDone, "OpenSSL without SHA-2")
            keyCount = Int(count)
            if round >= 64, Int(hidden[whole - 1]) <= round - 32 { return Array(key[..<32]) }
        }
    }
}
