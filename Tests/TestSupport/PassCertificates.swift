import Storage
import Work

/// An authority as Apple's is, another one of its name, and what the first one issued for passes: `apple.pem`, `other.pem`,
/// `leaf.pem` and `leaf.p12`, whose password is `open`.
public func makePassCertificates(in folder: String) throws {
    try shell(
        folder,
        """
        for name in apple other; do openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem \
        -days 3000 -subj '/CN=Worldwide Relations/OU=G4' -addext basicConstraints=critical,CA:TRUE; done
        openssl req -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr \
        -subj '/UID=pass.org.example.card/CN=Pass Type ID\\: pass.org.example.card/OU=TEAMID1234/O=Ana, Inc.'
        printf 'keyUsage=critical,digitalSignature\\nextendedKeyUsage=clientAuth,1.2.840.113635.100.4.14\\n' > ext
        printf '1.2.840.113635.100.6.1.16=ASN1:UTF8String:pass.org.example.card\\n' >> ext
        openssl x509 -req -in leaf.csr -CA apple.pem -CAkey apple.key -CAcreateserial -out leaf.pem -days 2900 \
        -extfile ext
        openssl pkcs12 -export -inkey leaf.key -in leaf.pem -out leaf.p12 -passout pass:open
        """)
}

/// What a script of the shell says that runs in this folder and has to succeed.
@discardableResult
public func shell(_ folder: String, _ script: String) throws -> String {
    let made = try Child(
        "/bin/sh", ["-ec", "cd '\(folder)'\n\(script)"], environment: Child.usualEnvironment
    ).run()
    guard made.succeeded else { throw Failure(.invalid, "\(made.errorText)") }
    return made.outputText
}
