import Storage
import Testing

@Suite("What people are told")
struct SentenceTests {
    @Test("A failure keeps its words apart from what stands in them, and says them by another pattern")
    func patterns() {
        let name = "Taxes {1}"
        let failure = Failure(.notFound, "There is no folder “\(name)” in \(2) places.")
        #expect(failure.message == "There is no folder “Taxes {1}” in 2 places.")
        #expect(failure.sentence.pattern == "There is no folder “{1}” in {2} places.")
        #expect(failure.sentence.filled("{2}: {1}, {3} {{1}}") == "2: Taxes {1}, {3} {Taxes {1}}")
        #expect(Failure(.notFound, "There is none.").sentence.pattern == "There is none.")
        // Words from elsewhere are theirs in every language.
        #expect(Failure(.notFound, name).sentence.filled("“{1}”") == "“Taxes {1}”")
        #expect(Failure(.notFound, name).sentence.pattern == "{1}")
    }
}
