import Bytes
import HTTP
import Testing

extension Desk {
    /// Ana's card, with a field that is shown after an exchange, one that nobody is shown, and a label for herself alone.
    func makeCard(_ more: JSON = [:]) throws -> (id: String, slug: String) {
        var said: JSON = [
            "given": "Ana", "family": "López", "title": "Architect", "organization": "Lumière",
            "note": "Houses & <gardens>", "label": "Secretlabel",
            "fields": [
                ["kind": "mobile", "value": "+1 514 555 0100"], ["value": "ana@example.org"],
                ["value": "https://github.com/ana"],
                ["kind": "whatsapp", "value": "+52 55 5555 7777", "visibility": "exchange"],
                ["kind": "homephone", "value": "+1 514 555 9999", "visibility": "private"],
            ],
        ]
        for (key, value) in more.object ?? [:] { said[key] = value }
        let card = try command(.post, "/cards", json: said).json
        return (try #require(card["id"]?.string), try #require(card["slug"]?.string))
    }
}
