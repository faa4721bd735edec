import Crypto
import Testing

@Suite("Passwords of documents")
struct DocumentPasswordTests {
    /// Computed with an independent program after ISO 32000-2, algorithm 2.B.
    @Test("are digested as the standard says")
    func knownAnswers() {
        let salt = Array("12345678".utf8)
        #expect(
            hex(DocumentPassword.digest(password: Array("password".utf8), salt: salt))
                == "0bad081f344ebb88e92cd414d1e5c0232655b6dd2f0de7367481133f0551fa27")
        #expect(
            hex(
                DocumentPassword.digest(
                    password: Array("Größe".utf8), salt: salt, more: (0..<48).map { UInt8($0) }))
                == "b2729fcf5603b3734c85b48731f32a2b2133c8c95e732896b860702937f96e53")
        #expect(
            hex(DocumentPassword.digest(password: [], salt: salt))
                == "eace262798d0f7325982b486540ff1c118871e1515e59ad3ae35f093a26a54a6")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
