import Bytes
import Making
import Mappings
import PDF
import PDFForms
import Storage
import Tables

/// Does `work` and tells what goes wrong with forms and tables as a person is told it. `password` is the option that
/// opens a locked form here.
func withForms<R>(password: String = "password", _ work: () throws -> R) throws -> R {
    do {
        return try work()
    } catch let error as PDFError {
        switch error {
        case .notReadable(let path, let reason):
            throw Failure(.notFound, "“\(path)” could not be read: \(reason).")
        case .passwordNeeded, .wrongPassword: throw Failure(.denied, "\(error) Say it with --\(password).")
        case .unusablePassword: throw Failure(.invalid, "\(error)")
        case .certificateNeeded, .unknownLock: throw Failure(.unsupported, "\(error)")
        case .damaged, .noPages: throw Failure(.damaged, "\(error)")
        case .tooLarge: throw Failure(.tooLarge, "\(error)")
        case .tooLittleMemory: throw Failure.tooLittleMemory
        }
    } catch let error as FormError {
        throw Failure(.unsupported, "\(error)")
    } catch let error as TableError {
        throw Failure(.invalid, sentence("The table cannot be read", "\(error)"))
    } catch let error as MappingProblem {
        throw Failure(.invalid, "\(error)")
    } catch let error as JSONError {
        throw Failure(.invalid, sentence("The JSON cannot be read", "\(error)"))
    } catch let error as FormDataError {
        throw Failure(.invalid, "\(error)")
    } catch let error as FileTrouble {
        throw Failure(.unavailable, "\(error).")
    }
}

/// What happened, and why: some say why in words of their own, some in a whole sentence.
private func sentence(_ what: String, _ why: String) -> String {
    "\(what): \(why)" + (why.hasSuffix(".") ? "" : ".")
}
