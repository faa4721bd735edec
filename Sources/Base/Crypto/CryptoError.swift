internal import COpenSSL

/// What can go wrong here; none of it says anything about a secret.
public enum CryptoError: Error, Sendable, Equatable {
    /// The machine could not give the memory that was asked for.
    case outOfMemory
    /// The key is not a usable key of its kind: wrong length, a point off its curve, too small a modulus.
    case badKey(String)
    /// A file with a key could not be read or made.
    case keyFile(path: String, reason: String)
    /// A name does not belong into a certificate.
    case badName(String)
    /// The library refused; the text is for a log.
    case refused(String)
}

/// Empties OpenSSL's queue of errors, which belongs to the thread: an expected refusal (a bad signature) left
/// there would be reported later by somebody else's call, the TLS of an outgoing connection for example.
func forgetOpenSSLErrors() {
    ERR_clear_error()
}

/// Takes the newest reason out of the queue and leaves the queue empty.
func openSSLRefusal(_ doing: String) -> CryptoError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let reason = ERR_reason_error_string(code) else { return .refused(doing) }
    return .refused("\(doing): \(String(cString: reason))")
}
