/// Turns English into the pseudo-locale: accented, in brackets, four tenths longer.
enum Disguise {
    static func put(on message: Message) -> Message {
        var letters = 0
        var pieces: [Message.Piece] = [.text("[")]
        for piece in message.pieces {
            guard case .text(let run) = piece else {
                pieces.append(piece)
                continue
            }
            letters += run.count
            pieces.append(.text(String(run.map { accents[$0] ?? $0 })))
        }
        // Padding comes in short words: translations grow by words that can wrap, not by one long one.
        let padding = (letters * 4 + 9) / 10
        var filler = ""
        for place in 0..<padding { filler.append(place % 6 == 0 ? " " : "~") }
        pieces.append(.text(filler + "]"))
        return Message(pieces: pieces)
    }

    private static let accents: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"))
}
