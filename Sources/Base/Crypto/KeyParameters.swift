internal import COpenSSL

/// OpenSSL 3 makes keys out of named parameters. Its builder keeps everything it is given by reference, the names
/// too, until the list is made: names and texts are static here, numbers and octets are copies this owns.
final class KeyParameters {
    /// The names in OpenSSL's core_names.h that a public key needs.
    enum Name {
        case group, point, modulus, exponent

        private var text: StaticString {
            switch self {
            case .group: "group"
            case .point: "pub"
            case .modulus: "n"
            case .exponent: "e"
            }
        }

        var pointer: UnsafePointer<CChar> {
            UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
        }
    }

    private let builder: OpaquePointer?
    private var numbers: [OpaquePointer?] = []
    private var octets: [UnsafeMutableRawBufferPointer] = []
    private var complete = true

    init() {
        builder = OSSL_PARAM_BLD_new()
    }

    deinit {
        OSSL_PARAM_BLD_free(builder)
        for number in numbers { BN_free(number) }
        for piece in octets { piece.deallocate() }
    }

    func add(_ name: Name, text: StaticString) {
        let pushed = text.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                OSSL_PARAM_BLD_push_utf8_string(builder, name.pointer, $0.baseAddress, bytes.count)
            }
        }
        complete = complete && pushed == 1
    }

    func add(_ name: Name, octets bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        octets.append(copy)
        let pushed = OSSL_PARAM_BLD_push_octet_string(builder, name.pointer, copy.baseAddress, copy.count)
        complete = complete && pushed == 1
    }

    func add(_ name: Name, number bytes: [UInt8]) {
        let number = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil)
        numbers.append(number)
        complete = complete && number != nil && OSSL_PARAM_BLD_push_BN(builder, name.pointer, number) == 1
    }

    /// OpenSSL itself refuses a point that is not on its curve.
    func publicKey(_ type: String) throws(CryptoError) -> KeyHandle {
        defer { forgetOpenSSLErrors() }
        guard complete, let list = OSSL_PARAM_BLD_to_param(builder) else { throw .outOfMemory }
        defer { OSSL_PARAM_free(list) }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { throw .outOfMemory }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &made, quire_openssl_public_key_selection(), list) == 1,
            let key = KeyHandle(made)
        else { throw .badKey("these numbers make no key") }
        return key
    }
}
