import Testing

@testable import Commands

/// A send-out in one file, from file to file and onto a desk.
@Suite("Bundles on the command line")
struct BundleCommandsTests {
    @Test(
        "A form, its mapping and a table's columns become a file that another desk looks at, takes in, begins from and takes away",
        arguments: Way.allCases)
    func fromFileToBatch(_ way: Way) throws {
        try withDesk(way) { folder, run in
            try put("[fields]\nchild_name = {child name}\nclass = {class}\n", "\(folder)/consent.map")
            try put("child name,class\nAna Pérez,5a\n", "\(folder)/pupils.csv")
            let file = "\(folder)/trip.quire-bundle.zip"
            let make = [
                "bundle", "make", "--form", consentForm, "--map", "\(folder)/consent.map", "--table",
                "\(folder)/pupils.csv", "--name", "Trip", "--out", file,
            ]
            let made = run(make)
            try #require(made.code == .done, "\(made.error)")
            #expect(run(make).code != .done, "what is there is not written over")
            let shown = run(["bundle", "show", file]).output
            #expect(shown.contains("Trip") && shown.contains("child_name = {child name}"))
            #expect(shown.contains("Columns: child name, class") && !shown.contains("Ana Pérez"))
            #expect(run(["bundle", "show", consentForm]).error.contains("no bundle"))
            #expect(run(["bundle", "take", file]).code == .done)
            #expect(run(["bundle", "take", file]).output.contains("here already"))
            #expect(run(["bundle", "list"]).output.contains("Trip"))
            let begun = run(["bundle", "begin", "Trip"])
            #expect(begun.code == .done, "\(begun.error)")
            #expect(run(["batch", "list"]).output.contains("Trip"))
            let removed = run(["bundle", "remove", "Trip"])
            #expect(removed.code == .done, "\(removed.error)")
            #expect(!run(["bundle", "list"]).output.contains("Trip"))
        }
    }
}
