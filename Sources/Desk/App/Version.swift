import CSystem

/// Which Quire this is.
public enum Version {
    public static let number = "0.1.0"

    /// The commit it was built from, when the build was told (`-Xcc -DQUIRE_COMMIT=…`, as `bin/release` does).
    public static let commit: String? = csystem_build_commit().map { String(cString: $0) }

    /// `quire 0.1.0 (1a2b3c4)`
    public static var line: String {
        "quire \(number)" + (commit.map { " (\($0))" } ?? "")
    }
}
