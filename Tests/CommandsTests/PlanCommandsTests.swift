import Access
import Bytes
import Storage
import TestSupport
import Testing
import Work

@testable import Commands

@Suite struct PlanCommandsTests {
    @Test("an operator makes a key, plans and a licence, and a desk under these plans takes it")
    func life() throws {
        try withScratchFolder { folder in
            func run(_ words: [String]) -> Said {
                quire(
                    words, home: folder,
                    environment: ["QUIRE_HOME": folder + "/desk", "QUIRE_PLAN_FILE": folder + "/plans.json"])
            }
            func operate(_ words: [String]) -> Said { quire(words, home: folder) }
            let key = operate(["plans", "key", "--out", "seller.key"])
            #expect(key.code == .done && key.error.contains("Next: quire plans example"), "\(key.error)")
            #expect(
                operate(["plans", "key", "--out", "seller.key"]).code != .done, "a key is never written over")
            let file = operate(["plans", "example", "subscription", "--key", "seller.key"])
            try put(file.output, folder + "/plans.json")
            #expect(
                operate(["plans", "example", "gold", "--key", "seller.key"]).error.contains("There are: once")
            )

            try put("a paper", folder + "/paper.txt")
            let refused = run(["add", "paper.txt"])
            #expect(refused.code != .done)
            #expect(
                refused.output.contains("Keeping new papers: the plan “Free” does not have it."), "\(refused)"
            )
            let free = run(["plans", "show"])
            #expect(
                free.output.contains("Plan: Free")
                    && free.output.contains("To try “studio”: quire plans try studio"), "\(free)")
            #expect(run(["plans", "try", "studio"]).output.contains("Plan: Studio, on trial, until "))
            #expect(run(["add", "paper.txt"]).code == .done)

            #expect(
                operate(["plans", "licence", "studio", "--key", "seller.key"]).error.contains(
                    "Say who has bought it"))
            #expect(
                operate([
                    "plans", "licence", "studio", "--key", "seller.key", "--for", "Ada", "--kind",
                    "subscription",
                ])
                .error.contains("ends on some day"))
            let licence = operate([
                "plans", "licence", "studio", "--key", "seller.key", "--for", "Ada", "--kind", "subscription",
                "--until",
                "2199-12-31", "--grace", "7", "--seats", "3",
            ])
            #expect(licence.code == .done, "\(licence.error)")
            try put(licence.output, folder + "/licence.txt")
            let restored = run(["plans", "restore", "licence.txt"])
            #expect(restored.output.contains("Plan: Studio, until 2200-01-01"), "\(restored)")
            #expect(run(["plans", "restore", "licence.txt"]).code == .done, "as often as it is needed")
            #expect(run(["plans", "restore", "paper.txt"]).error.contains("This is no licence."))
            #expect(run(["plans", "simulate", "free"]).output.contains("as it does without a licence"))
            #expect(run(["plans", "simulate", "off"]).output.contains("Plan: Studio"))
        }
    }

    @Test("who hosts Quire alone is told that nothing is limited")
    func alone() throws {
        try withDesk(.here) { folder, run in
            try put("a paper", folder + "/paper.txt")
            #expect(run(["add", "paper.txt"]).code == .done)
            #expect(
                run(["plans", "show"]).output
                    == "Plan: Self-hosted\nYou host Quire yourself: nothing is limited.\n")
        }
    }

    @Test(
        "every example is a plan file that reads, and Free in it looks, tries and scans",
        arguments: PlanExample.allCases)
    func example(_ example: PlanExample) throws {
        let key = try LicenceKey.make(.seeded(1))
        #expect(try LicenceKey(key.text + "\n").published == key.published)
        let book = try PlanBook(file: Array(example.file(licenceKey: key.published).pretty.utf8))
        #expect(book.licenceKey != nil && book.shop != nil)
        let free = try #require(book.plans.first)
        #expect(free.limits == [.templates: 1, .recipients: 10, .retentionDays: 7, .members: 1])
        #expect(free.without == Set(PlanTool.allCases))
        #expect(throws: Failure.self) { try LicenceKey("QUIRE-LICENCE-KEY.AAAA") }
    }
}
