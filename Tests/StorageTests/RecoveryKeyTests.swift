import Storage
import Testing
import Work

@Suite("The recovery key")
struct RecoveryKeyTests {
    private let key = RecoveryKey(.seeded(7))

    @Test(
        "is read as it was printed, in any case, with blanks, hyphens or neither, and with O for 0 and I for 1"
    )
    func typed() throws {
        #expect(key.groups.count == 8 && key.groups.allSatisfy { $0.count == 5 })
        let asTyped = [
            key.text, key.text.lowercased(), key.groups.joined(),
            "  " + key.groups.joined(separator: " ") + "\n",
            key.text.replacing("0", with: "O").replacing("1", with: "l"),
        ]
        for text in asTyped { #expect(try RecoveryKey(typed: text) == key, "\(text)") }
        for seed in 0..<50 as Range<UInt64> {
            let other = RecoveryKey(.seeded(seed))
            #expect(try RecoveryKey(typed: other.text) == other)
        }
    }

    private func said(_ text: String) -> String? {
        do {
            _ = try RecoveryKey(typed: text)
            return nil
        } catch { return error.message }
    }

    @Test("names the group in which any one letter is mistyped")
    func oneLetter() {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let letters = Array(key.text)
        for place in letters.indices where letters[place] != "-" {
            for letter in alphabet where letter != letters[place] {
                var typed = letters
                typed[place] = letter
                #expect(
                    said(String(typed))
                        == "Group \(place / 6 + 1) of the recovery key is mistyped. Compare it with the sheet."
                )
            }
        }
    }

    @Test("names the group in which two neighbours changed places, and groups that did")
    func changedPlaces() {
        let letters = Array(key.groups.joined())
        for place in letters.indices.dropLast() where letters[place] != letters[place + 1] {
            var typed = letters
            typed.swapAt(place, place + 1)
            #expect(said(String(typed))?.contains("mistyped") == true)
        }
        for group in 0..<7 where key.groups[group] != key.groups[group + 1] {
            var typed = key.groups
            typed.swapAt(group, group + 1)
            #expect(
                said(typed.joined(separator: " "))
                    == "Groups \(group + 1), \(group + 2) of the recovery key are mistyped. Compare them with the sheet."
            )
        }
    }

    @Test("says what is too short, too long, or no letter of a key")
    func lengths() {
        var typed = key.groups
        typed[2].removeLast()
        #expect(
            said(typed.joined(separator: " "))
                == "Group 3 of the recovery key has to have 5 letters. Compare it with the sheet.")
        #expect(said(key.groups.dropLast().joined(separator: "-"))?.contains("these are 35 letters") == true)
        #expect(said("")?.contains("these are 0 letters") == true)
        #expect(said(key.text + "-" + key.text)?.contains("these are 80 letters") == true)
        typed = key.groups
        typed[0] = "ABCDU"
        #expect(said(typed.joined(separator: " "))?.hasPrefix("“U” is in no recovery key") == true)
        typed[0] = "ABCDß"
        #expect(said(typed.joined(separator: " "))?.hasPrefix("“ß” is in no recovery key") == true)
    }

    @Test("stands in no log")
    func unseen() {
        #expect(!"\(key)".contains(key.groups[0]) && !String(reflecting: key).contains(key.groups[0]))
    }
}
