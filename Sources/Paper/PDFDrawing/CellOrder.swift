/// Letters that stand in cells of their own, as combs want them, in the order they are seen from left to right.
public enum CellOrder {
    public static func visual(_ characters: [Character]) -> [Character] {
        let scalars = characters.flatMap { $0.unicodeScalars.map(\.value) }
        guard Directions.mayRunLeft(scalars) else { return characters }
        let levels = Directions.levels(scalars).levels
        var cells: [(character: Character, level: Int8)] = []
        var place = 0
        for character in characters {
            cells.append((character, place < levels.count ? levels[place] : 0))
            place += character.unicodeScalars.count
        }
        var runs: [ArraySlice<(character: Character, level: Int8)>] = []
        var start = 0
        for index in cells.indices
        where index + 1 == cells.count || cells[index + 1].level != cells[start].level {
            runs.append(cells[start...index])
            start = index + 1
        }
        return Directions.visual(runs, level: { $0.first?.level ?? 0 }).flatMap { run in
            let letters = run.map(\.character)
            return (run.first?.level ?? 0) & 1 == 1 ? letters.reversed() : letters
        }
    }
}
