import Bytes
import SQL
import Storage

extension Row {
    func json(_ column: String) throws -> JSON {
        try JSON(parsing: try text(column))
    }
}
