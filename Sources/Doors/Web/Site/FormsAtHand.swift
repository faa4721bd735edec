import App
import PDFForms
import Storage
import Synchronization

/// Forms read for looking at, the last few kept: choosing what goes where asks for the same one again and again.
/// Bytes under a digest never change, so nothing here can be out of date.
final class FormsAtHand: Sendable {
    private static let mostKept = 6

    private let quire: Quire
    /// The one used last stands at the end.
    private let kept = Mutex<[(key: Digest, form: PreparedForm)]>([])

    init(_ quire: Quire) {
        self.quire = quire
    }

    func form(_ digest: Digest) throws -> PreparedForm {
        let found = kept.withLock { all -> PreparedForm? in
            guard let place = all.firstIndex(where: { $0.key == digest }) else { return nil }
            let found = all.remove(at: place)
            all.append(found)
            return found.form
        }
        if let found { return found }
        let form: PreparedForm
        do {
            form = try PreparedForm(bytes: quire.store.blobs.read(digest))
        } catch let error as FormError {
            throw Failure(.unsupported, "\(error)")
        }
        kept.withLock { all in
            all.append((digest, form))
            if all.count > Self.mostKept { all.removeFirst() }
        }
        return form
    }
}
