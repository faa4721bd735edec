import PDFForms
import Storage
import Synchronization

/// Templates read once and kept ready, as filling a thousand copies should not read the form a thousand times.
/// Bytes under a digest never change, so nothing here can be out of date.
final class FormShelf: Sendable {
    struct Key: Hashable {
        var digest: Digest
        var flattens = false
        /// Copies get passwords of their own.
        var locks = false
        /// For many copies a form is written anew first; for a few it is only added to.
        var isForMany = false
    }

    /// From so many copies on, a form is prepared for many.
    static let many = 500

    /// Enough for the batches under way; each form takes a few times its file.
    private static let mostForms = 16
    private static let largestKept = 8 << 20

    private let store: Store
    /// The one used last stands at the end.
    private let forms = Mutex<[(key: Key, form: PreparedForm)]>([])

    init(_ store: Store) {
        self.store = store
    }

    func form(_ key: Key) throws -> PreparedForm {
        if let kept = kept(key) { return kept }
        let bytes = try store.blobs.read(key.digest, atMost: Templates.longestFile)
        var options = PreparedForm.Options()
        options.flattens = key.flattens ? .all : .none
        options.locks = key.locks
        options.base = .automatic(copies: key.isForMany ? 1000 : 1)
        let form = try Templates.explained { try PreparedForm(bytes: bytes, options: options) }
        if bytes.count <= Self.largestKept { keep(form, under: key) }
        return form
    }

    private func kept(_ key: Key) -> PreparedForm? {
        forms.withLock { forms in
            guard let place = forms.firstIndex(where: { $0.key == key }) else { return nil }
            let found = forms.remove(at: place)
            forms.append(found)
            return found.form
        }
    }

    private func keep(_ form: PreparedForm, under key: Key) {
        forms.withLock { forms in
            forms.removeAll { $0.key == key }
            forms.append((key, form))
            if forms.count > Self.mostForms { forms.removeFirst() }
        }
    }
}
