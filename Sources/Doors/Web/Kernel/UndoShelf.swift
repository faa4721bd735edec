import Converting
import Jobs
import Library
import Storage
import Synchronization

/// What was just done to papers, kept for a while so that one press takes it back. In memory: an Undo is
/// offered on the next page only, and a server that began anew knows of none.
final class UndoShelf: Sendable {
    enum Act: Sendable {
        /// Papers as they were, and as they were then.
        case filed([(before: Document, after: Document)])
        /// Papers that were laid into a folder made for them.
        case gathered(ID<Folder>, [(before: Document, after: Document)])
        case trashed([ID<Document>])
        /// A conversion that was begun.
        case began(ID<Conversion>)
        /// Papers that were added.
        case added([ID<Document>])
        /// Papers whose pages are read, and the versions they had before.
        case recognition(ID<Job>, [(id: ID<Document>, version: Int)])
    }

    private static let most = 500

    private let acts = Mutex<(byID: [String: (act: Act, actor: String)], order: [String])>(([:], []))

    func keep(_ act: Act, as id: String, by actor: String) {
        acts.withLock { acts in
            acts.byID[id] = (act, actor)
            acts.order.append(id)
            if acts.order.count > Self.most { acts.byID[acts.order.removeFirst()] = nil }
        }
    }

    /// Once, and only for whoever did it.
    func take(_ id: String, by actor: String) -> Act? {
        acts.withLock { acts in
            guard let kept = acts.byID[id], kept.actor == actor else { return nil }
            acts.byID[id] = nil
            acts.order.removeAll { $0 == id }
            return kept.act
        }
    }
}
