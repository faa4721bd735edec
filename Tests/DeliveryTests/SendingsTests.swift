import Access
import Crypto
import Delivery
import Filling
import Making
import Jobs
import Library
import SQL
import Storage
import TestSupport
import Testing
import Transfer
import Work

@Suite("The letter of a batch")
struct BatchLetterTests {
    @Test("says what each recipient would get, before anybody gets it")
    func preview() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.write(
                "Form for {{child_name}}",
                "Dear **{{recipient_name}}**,\n{{note|nothing to bring}}; by {{= date_format({Due date}, \"d mmmm\")}}.\n{{organization}}, {{ sender_name }}",
                of: batch)
            let packet = try office.packet("bo", of: batch)
            let preview = try office.sendings.preview(of: batch.id, for: packet.id, by: .local)
            #expect(preview.subject == "Form for Bo Li")
            #expect(
                preview.text
                    == "Dear Bo Li,\nnothing to bring; by 1 December.\nHillside School, The Office")
            #expect(preview.html?.contains("<strong>Bo Li</strong>") == true)
            #expect(preview.from?.address == "office@school.example")
            #expect(preview.addresses.to.map(\.description) == ["Bo Li <bo@example.org>"])
            #expect(preview.attachments.map(\.name) == ["Consent_Bo Li.pdf"])
            #expect(preview.attachments[0].byteCount == packet.byteCount)
            #expect(preview.unknown.isEmpty && preview.empty.isEmpty && preview.problems.isEmpty)
        }
    }

    @Test(
        "writes the day as people of its language do, with the batch's own locale before it and the desk's behind",
        arguments: [
            ("", "", "", "1 December", "2,500.5"), ("es-MX", "", "", "1 diciembre", "2,500.5"),
            // A number is written as on the papers.
            ("fr-CA", "", "", "1 décembre", "2,500.5"), ("fr-CA", "es-MX", "", "1 diciembre", "2,500.5"),
            ("fr-CA", "es-MX", "de", "1 Dezember", "2.500,5"), ("fr-CA", "en", "", "1 December", "2,500.5"),
        ])
    func days(desk: String, letter: String, batch locale: String, day: String, number: String) throws {
        let long = [
            "December": "November 21, 2026", "diciembre": "21 de noviembre de 2026",
            "décembre": "21 novembre 2026", "Dezember": "21. November 2026",
        ]
        try Office.with(language: desk) { office in
            let batch = try office.batch(locale: locale)
            var words = try office.sendings.letter(of: batch.id, by: .local)
            words.language = letter
            words.subject = "{{date}}"
            words.body = """
                {{= date_format({Due date}, "d mmmm")}}; {{= number_format(number("2500.5", "en"), "#,##0.0")}}
                """
            words.form = .plain
            try office.sendings.save(words, of: batch.id, by: .local)
            let packet = try office.packet("bo", of: batch)
            let preview = try office.sendings.preview(of: batch.id, for: packet.id, by: .local)
            #expect(preview.subject == long[String(day.dropFirst(2))])
            #expect(preview.text == "\(day); \(number)")
        }
    }

    @Test("tells names nobody knows, and keeps them; and names for which somebody has nothing")
    func gaps() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.write("Hi {{nick}}", "{{note}} {{= upper({Nowhere})}}", of: batch)
            let preview = try office.sendings.preview(
                of: batch.id, for: office.packet("bo", of: batch).id, by: .local)
            #expect(preview.subject == "Hi {{nick}}")
            #expect(preview.unknown == ["nick", "{{= upper({Nowhere})}}"])
            #expect(preview.empty == ["note"])
            let check = try office.sendings.check(batch.id, by: .local)
            #expect(check.groups.first { $0.kind == .emptyToken }?.count == 1)
            #expect(check.groups.filter { $0.kind == .unknownToken }.map(\.count) == [3, 3])
            #expect(check.reason?.contains("Nowhere") == true)
            #expect(!check.canStart)
        }
    }

    @Test("lists the names one may use, with the first recipient's own words")
    func tokens() throws {
        try Office.with { office in
            let tokens = try office.sendings.tokens(of: office.batch().id, by: .local)
            #expect(tokens.first { $0.name == "child_name" }?.example == "Zoë Ångström")
            #expect(tokens.first { $0.name == "child_name" }?.column == "Child name")
            #expect(tokens.first { $0.name == "recipient_name" }?.column == nil)
            #expect(tokens.first { $0.name == "e_mail" }?.example == "zoe@example.org")
        }
    }

    @Test("is saved once, by whoever has seen what was there")
    func saved() throws {
        try Office.with { office in
            let batch = try office.batch()
            let usual = try office.sendings.letter(of: batch.id, by: .local)
            #expect(usual.version == 0 && usual.subject == "Consent forms")
            #expect(usual.pace.zone == "Europe/Berlin")
            var letter = usual
            letter.body = "Hello"
            #expect(try office.sendings.save(letter, of: batch.id, by: .local).version == 1)
            #expect(throws: Failure.self) { try office.sendings.save(letter, of: batch.id, by: .local) }
            letter.version = 1
            letter.replyTo = "not an address"
            #expect(throws: Failure.self) { try office.sendings.save(letter, of: batch.id, by: .local) }
            letter.replyTo = "a@example.org"
            letter.subject = "Hi\r\nBcc: evil@example.org"
            #expect(throws: Failure.self) { try office.sendings.save(letter, of: batch.id, by: .local) }
        }
    }

    @Test(
        "refuses what is typed for everybody and is no address, and leaves each recipient's own words alone")
    func typedAddresses() throws {
        try Office.with { office in
            let batch = try office.batch()
            for wrong in ["not-an-address", "office@example.org, a@b", "{{e_mail}}; nobody"] {
                let failure = #expect(throws: Failure.self) {
                    try office.write("Hi", "Hello", of: batch) { $0.copies = wrong }
                }
                #expect(failure?.field == "cc")
                #expect(failure?.message.hasSuffix("One looks like ada@example.org.") == true)
            }
            for right in [
                "", "{{e_mail}}, Office <office@example.org>", "{{note|a, b}}",
                "{{= if({Class} = \"5a\", \"a@example.org\", \"\")}}",
            ] {
                try office.write("Hi", "Hello", of: batch) { $0.blindCopies = right }
            }
        }
    }

    @Test("takes files that go to everybody")
    func files() throws {
        try Office.with { office in
            let batch = try office.batch()
            let document = try office.documents.add(
                .bytes(Array("plain words".utf8)), named: "Map.txt", by: .local)
            try office.sendings.attach(document.document.id, to: batch.id, by: .local)
            let preview = try office.sendings.preview(of: batch.id, by: .local)
            #expect(preview.attachments.map(\.name) == ["Consent_Zoë Ångström.pdf", "Map.txt"])
            try office.sendings.detach(0, from: batch.id, by: .local)
            #expect(try office.sendings.letter(of: batch.id, by: .local).files.isEmpty)
        }
    }
}

@Suite("Sending a batch")
struct SendingsTests {
    @Test("sends everybody's own packet, once, after the number was confirmed", arguments: Database.Kind.here)
    func whole(kind: Database.Kind) throws {
        try Office.with(kind) { office in
            let batch = try office.batch()
            #expect(try office.ledger.tally(of: "batch/\(batch.id)", by: .local).states == [.made: 3])
            try office.write("For {{child_name}}", "Dear {{recipient_name}}", of: batch)
            let check = try office.sendings.check(batch.id, by: .local)
            #expect(check.ready == 3 && check.canStart && check.groups.isEmpty)
            #expect(throws: Failure.self) {
                try office.sendings.start(batch.id, confirming: 2, by: .local)
            }
            let begun = try office.sendings.start(batch.id, confirming: 3, by: .local)
            #expect(begun.isPreparing && begun.job != nil)
            #expect(throws: Failure.self) {
                try office.sendings.start(batch.id, confirming: 3, by: .local)
            }
            office.work()
            let done = try #require(try office.sendings.sending(batch.id, by: .local))
            #expect(done.isFinished && done.sent == 3 && done.total == 3)
            #expect(office.carrier.addresses == ["ana@example.org", "bo@example.org", "zoe@example.org"])
            let page = try office.sendings.deliveries(of: batch.id, by: .local)
            #expect(page.lines.map(\.packet.name) == ["Zoë Ångström", "Bo Li", "Ana Ruiz"])
            #expect(page.lines.allSatisfy { $0.state == .accepted && $0.message != nil })
            #expect(page.tally.sent == 3 && page.tally.total == 3)
            // Each got their own paper, and a second sending finds nobody.
            for line in page.lines {
                let attachment = try office.outbox.attachments(of: #require(line.message), by: .local)[0]
                #expect(attachment.digest == line.packet.digest)
            }
            let again = try office.sendings.check(batch.id, by: .local)
            #expect(again.ready == 0 && again.groups.first?.kind == .sentAlready)
            #expect(throws: Failure.self) {
                try office.sendings.start(batch.id, confirming: 0, by: .local)
            }
            #expect(try office.ledger.verify() == [])
        }
    }

    @Test("leaves out whom it cannot reach, and says so before")
    func leftOut() throws {
        let people = [
            ["Ana", "ana@example.org", "", "", ""], ["Bo", "", "", "", ""], ["Cy", "cy at home", "", "", ""],
            ["Dan", "dan@example.org", "", "", ""], ["Eva", "ANA@example.org", "", "", ""],
        ]
        try Office.with(people: people) { office in
            let batch = try office.batch()
            try office.outbox.suppressions.add("dan@example.org", reason: "Mail came back.", by: .local)
            let check = try office.sendings.check(batch.id, by: .local)
            #expect(check.total == 5 && check.ready == 2)
            let counts = Dictionary(uniqueKeysWithValues: check.groups.map { ($0.kind, $0.count) })
            #expect(
                counts == [.noAddress: 1, .badAddress: 1, .suppressed: 1, .duplicateAddress: 1])
            #expect(
                check.groups.first { $0.kind == .duplicateAddress }?.examples.first?.message
                    == "Ana has the same address, ana@example.org.")
            try office.sendings.start(batch.id, confirming: 2, by: .local)
            office.work()
            #expect(office.carrier.addresses == ["ANA@example.org", "ana@example.org"])
            let page = try office.sendings.deliveries(of: batch.id, .init(.unsent), by: .local)
            #expect(page.lines.map(\.packet.name) == ["Bo", "Cy", "Dan"])
            #expect(page.tally.sent == 2 && page.tally.total == 5)
        }
    }

    @Test("writes to the addresses the letter names, with copies and answers to others")
    func addresses() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.write("s", "b", of: batch) { letter in
                letter.to = "{{e_mail}}, \"Ruiz, Eva\" <eva@example.org>"
                letter.copies = "class-{{class}}@school.example"
                letter.blindCopies = "archive@school.example"
                letter.replyTo = "Head <head@school.example>"
                letter.sender = "Ms. Head <head@school.example>"
            }
            try office.sendings.start(batch.id, confirming: 3, by: .local)
            office.work()
            let copy = try office.copy(to: "bo@example.org")
            #expect(copy.contains("To: bo@example.org, \"Ruiz, Eva\" <eva@example.org>\r\n"))
            #expect(copy.contains("Cc: class-5b@school.example\r\n"))
            #expect(copy.contains("From: \"Ms. Head\" <head@school.example>\r\n"))
            #expect(copy.contains("Reply-To: Head <head@school.example>\r\n"))
            #expect(!copy.contains("archive@"))
            #expect(office.carrier.addresses.count { $0 == "archive@school.example" } == 3)
        }
    }

    @Test("says before whose address is left out, and which names are empty, each name by itself")
    func checkByName() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.outbox.suppressions.add("boss@school.example", reason: "Asked for none.", by: .local)
            try office.write("s", "{{note}} {{class}} {{nobody}}", of: batch) {
                $0.to = "{{e_mail}}, boss@school.example"
            }
            let check = try office.sendings.check(batch.id, by: .local)
            #expect(check.ready == 3)
            func group(_ kind: SendingProblem.Kind) -> SendingCheck.Group? {
                check.groups.first { $0.kind == kind }
            }
            #expect(group(.heldBack)?.count == 3)
            #expect(group(.emptyToken)?.token == "{{note}}" && group(.emptyToken)?.count == 1)
            #expect(group(.emptyToken)?.examples.map(\.name) == ["Bo Li"])
            #expect(group(.unknownToken)?.token == "{{nobody}}")
            let preview = try office.sendings.preview(of: batch.id, by: .local)
            #expect(preview.problems.contains { $0.kind == .heldBack })
            try office.sendings.start(batch.id, confirming: 3, by: .local)
            office.work()
            #expect(!office.carrier.addresses.contains("boss@school.example"))
            #expect(office.carrier.addresses.count == 3)
        }
    }

    @Test("gives each recipient a link of their own where that was chosen, and counts its openings")
    func links() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.write("s", "Here: [your form]({{link}})", of: batch) { $0.attaches = .link }
            try office.sendings.start(batch.id, confirming: 3, by: .local)
            office.work()
            let messages = try office.outbox.list(by: .local).messages
            let message = try #require(messages.first { $0.recipientName == "Bo Li" })
            let start = try #require(message.text.firstRange(of: "https://desk.example/s/"))
            let token = String(message.text[start.upperBound...].prefix { $0 != ")" })
            #expect(message.html?.contains("href=\"https://desk.example/s/\(token)\"") == true)
            #expect(Set(messages.map(\.text)).count == 3)
            #expect(try office.outbox.attachments(of: message.id, by: .local).isEmpty)
            let opened = try office.sendings.open(token, from: Visitor(address: "192.0.2.7"))
            let packet = try office.packet("bo", of: batch)
            #expect(opened.link.subject.id == packet.id.text)
            #expect(try office.sendings.shared(packet.id, by: opened.caller).packet.name == "Bo Li")
            let other = try office.packet("ana", of: batch)
            #expect(throws: Failure.self) { try office.sendings.shared(other.id, by: opened.caller) }
            let delivery = try office.sendings.delivery(of: packet.id, by: .local)
            #expect(delivery.line.state == .opened && delivery.line.openings == 1)
            #expect(delivery.history.map(\.note.event) == [.made, .posted, .accepted, .opened])
        }
    }

    @Test("locks each link with what its recipient knows, and sends none that would stand open")
    func lockedLinks() throws {
        try Office.with { office in
            office.access.policy.passwordCost = .least
            let batch = try office.batch()
            try office.write("s", "Here: {{link}}", of: batch) {
                $0.attaches = .link
                $0.linkPassword = "{{note}}"
                $0.linkOpenings = 1
            }
            let check = try office.sendings.check(batch.id, by: .local)
            // Bo has no note.
            #expect(check.ready == 2 && check.groups.first?.kind == .noPassword)
            try office.sendings.start(batch.id, confirming: 2, by: .local)
            office.work()
            let messages = try office.outbox.list(by: .local).messages
            let message = try #require(messages.first { $0.recipientName == "Zoë Ångström" })
            #expect(messages.count == 2 && !message.text.contains("bring a pen"))
            let start = try #require(message.text.firstRange(of: "https://desk.example/s/"))
            let token = String(message.text[start.upperBound...].prefix { !$0.isWhitespace })
            let visitor = Visitor(address: "192.0.2.7")
            #expect(throws: Failure.self) { try office.sendings.open(token, from: visitor) }
            #expect(throws: Failure.self) {
                try office.sendings.open(token, password: "sings", from: visitor)
            }
            _ = try office.sendings.open(token, password: "bring a pen", from: visitor)
            #expect(throws: Failure.self) {
                try office.sendings.open(token, password: "bring a pen", from: visitor)
            }
            #expect(throws: Failure.self) {
                try office.write("s", "b", of: batch) { $0.linkOpenings = 0 }
            }
            try office.write("s", "b", of: batch) { $0.linkPassword = "{{nobody}}" }
            let unknown = try office.sendings.check(batch.id, by: .local)
            #expect(unknown.groups.contains { $0.kind == .noPassword && $0.count == 3 })
        }
    }

    @Test("asks for the address of the desk before it promises links")
    func noOrigin() throws {
        try Office.with(origin: nil) { office in
            let batch = try office.batch()
            try office.write("s", "{{link}}", of: batch) { $0.attaches = .link }
            #expect(try office.sendings.check(batch.id, by: .local).groups.first?.kind == .noOrigin)
        }
    }

    @Test("does not begin without an account, a subject or packets")
    func incomplete() throws {
        try Office.with(sender: nil) { office in
            let batch = try office.batch()
            #expect(try office.sendings.check(batch.id, by: .local).reason == "There is no mail account yet.")
        }
        try Office.with { office in
            let batch = try office.batch(made: false)
            let check = try office.sendings.check(batch.id, by: .local)
            #expect(check.ready == 0 && check.groups.first { $0.kind == .notMade }?.count == 3)
            #expect(!check.canStart)
            try office.write(" ", "x", of: batch)
            #expect(try office.sendings.check(batch.id, by: .local).reason == "The letter needs a subject.")
        }
    }

    @Test("says when mails would be too large for most servers")
    func large() throws {
        try Office.with(largestMail: 3_000) { office in
            let batch = try office.batch()
            let check = try office.sendings.check(batch.id, by: .local)
            #expect(check.ready == 0 && check.groups.first?.kind == .tooLarge)
        }
    }

    @Test("sends a letter to oneself that the ledger knows nothing of")
    func test() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.write("For {{child_name}}", "b", of: batch) { $0.copies = "other@example.org" }
            let packet = try office.packet("ana", of: batch)
            let id = try office.sendings.test(batch.id, for: packet.id, by: .local)
            office.work()
            #expect(office.carrier.addresses == ["office@school.example"])
            let message = try office.outbox.get(id, by: .local)
            #expect(message.title == "For Ana Ruiz" && message.state == .accepted)
            #expect(try office.ledger.tally(by: .local).states == [.made: 3])
            #expect(try office.sendings.check(batch.id, by: .local).ready == 3)
            #expect(try office.sendings.sending(batch.id, by: .local) == nil)
            #expect(throws: Failure.self) {
                try office.sendings.test(batch.id, to: "no\r\none", by: .local)
            }
        }
    }

    @Test("sends one alone, also to another address, and never the same packet twice")
    func single() throws {
        try Office.with { office in
            let batch = try office.batch()
            let packet = try office.packet("ana", of: batch)
            try office.sendings.send(packet.id, to: "mother@example.org", by: .local)
            office.work()
            #expect(office.carrier.addresses == ["mother@example.org"])
            #expect(throws: Failure.self) { try office.sendings.send(packet.id, by: .local) }
            let check = try office.sendings.check(batch.id, by: .local)
            #expect(check.ready == 2)
            try office.sendings.start(batch.id, confirming: 2, by: .local)
            office.work()
            #expect(office.carrier.addresses == ["bo@example.org", "mother@example.org", "zoe@example.org"])
        }
    }

    @Test("is paused while letters are written, gone on with, and cancelled; what was cancelled may go anew")
    func held() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.sendings.start(batch.id, confirming: 3, by: .local)
            try office.sendings.pause(batch.id, by: .local)
            office.work()
            var now = try #require(try office.sendings.sending(batch.id, by: .local))
            #expect(!now.isPreparing && now.unsent == 3 && office.carrier.addresses.isEmpty)
            now = try office.sendings.cancel(batch.id, by: .local)
            #expect(now.isFinished)
            #expect(try office.sendings.check(batch.id, by: .local).ready == 3)
            try office.sendings.start(batch.id, confirming: 3, by: .local)
            try office.sendings.pause(batch.id, by: .local)
            try office.sendings.resume(batch.id, by: .local)
            office.work()
            #expect(office.carrier.addresses.count == 3)
            #expect(try office.sendings.sending(batch.id, by: .local)?.sent == 3)
        }
    }

    @Test("keeps what people bring out of the heads of letters")
    func injection() throws {
        let people = [["Eve\r\nBcc: evil@example.org", "eve@example.org", "5\r\nX-Evil: 1", "", ""]]
        try Office.with(people: people) { office in
            let batch = try office.batch()
            try office.write("Class {{class}} {{child_name}}", "x", of: batch) {
                $0.to = "{{child_name}} <{{e_mail}}>"
            }
            let check = try office.sendings.check(batch.id, by: .local)
            try office.sendings.start(batch.id, confirming: check.ready, by: .local)
            office.work()
            if check.ready == 1 {
                let head = try office.copy(to: "eve@example.org").split(separator: "\r\n\r\n")[0].lowercased()
                #expect(!head.contains("\nbcc:") && !head.contains("\nx-evil:"))
            }
            #expect(!office.carrier.addresses.contains("evil@example.org"))
        }
    }

    @Test("says what somebody did by hand, and takes it back without losing a line")
    func byHand() throws {
        try Office.with { office in
            let batch = try office.batch()
            let packet = try office.packet("bo", of: batch)
            try office.sendings.handOver(packet.id, note: "printed", by: .local)
            #expect(try office.sendings.delivery(of: packet.id, by: .local).line.state == .handedOver)
            #expect(try office.sendings.tally(of: batch.id, by: .local).sent == 1)
            try office.sendings.returned(packet.id, by: .local)
            #expect(try office.sendings.delivery(of: packet.id, by: .local).line.state == .returned)
            try office.sendings.revert(packet.id, by: .local)
            #expect(try office.sendings.delivery(of: packet.id, by: .local).line.state == .handedOver)
            try office.sendings.revert(packet.id, by: .local)
            #expect(try office.sendings.delivery(of: packet.id, by: .local).line.state == .made)
            #expect(throws: Failure.self) { try office.sendings.revert(packet.id, by: .local) }
            #expect(try office.sendings.delivery(of: packet.id, by: .local).history.count == 5)
            try office.sendings.handOver(packet.id, isShared: true, by: .local)
            #expect(try office.sendings.delivery(of: packet.id, by: .local).line.state == .shared)
            #expect(try office.sendings.tally(of: batch.id, by: .local).sent == 1)
            let items = try office.ledger.list(by: .local).items.filter { $0.state == .shared }
            let account = try #require(try office.sendings.accounts(of: items, by: .local).first)
            #expect(account.method == .share && account.title == batch.name && !account.fileName.isEmpty)
            try office.sendings.revert(packet.id, by: .local)
            #expect(try office.sendings.delivery(of: packet.id, by: .local).line.state == .made)
            #expect(try office.sendings.tally(of: batch.id, by: .local).sent == 0)
            #expect(try office.ledger.verify() == [])
        }
    }

    @Test("gives the letter to another mail program, as a draft or in an address")
    func otherPrograms() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.write("Für {{child_name}}", "Hi & bye,\n{{class}}", of: batch)
            let packet = try office.packet("bo", of: batch)
            let message = try office.sendings.message(for: packet.id, by: .local)
            #expect(message.fileName == "Consent_Bo Li.eml")
            let text = String(decoding: message.bytes, as: UTF8.self)
            #expect(text.contains("X-Unsent: 1\r\n") && text.contains("To: Bo Li <bo@example.org>\r\n"))
            #expect(
                try office.sendings.mailAddress(for: packet.id, by: .local)
                    == "mailto:bo@example.org?subject=F%C3%BCr%20Bo%20Li&body=Hi%20%26%20bye%2C%0D%0A5b")
            try office.sendings.send(packet.id, by: .local)
            office.work()
            let sent = try office.sendings.message(for: packet.id, by: .local)
            #expect(!String(decoding: sent.bytes, as: UTF8.self).contains("X-Unsent"))
        }
    }

    @Test("counts what happened week by week")
    func figures() throws {
        try Office.with { office in
            let batch = try office.batch()
            try office.sendings.start(batch.id, confirming: 3, by: .local)
            office.work()
            office.clock.advance(.seconds(7 * 86_400))
            try office.sendings.returned(office.packet("bo", of: batch).id, by: .local)
            let figures = try office.ledger.figures(weeks: 3, by: .local)
            #expect(figures.weeks.map(\.made) == [0, 3, 0])
            #expect(figures.weeks.map(\.sent) == [0, 3, 0])
            #expect(figures.weeks.map(\.returned) == [0, 0, 1])
            #expect(figures.lineCount == 10)
        }
    }
}

@Suite("Locked packets that came back")
struct LockedReturnsTests {
    @Test("open with the passwords the desk gave them, whatever they are called now")
    func opened() throws {
        try Office.with { office in
            let batch = try office.batch(made: false)
            var draft = batch.draft
            draft.options.password = "{E-mail}"
            try office.batches.change(batch.id, to: draft, by: .local)
            try office.batches.plan(batch.id, by: .local)
            try office.batches.fill(batch.id, by: .local)
            office.work()
            let files = try ["zoë", "bo"].map { name in
                let packet = try office.packet(name, of: batch)
                return Harvests.File(
                    name: name == "bo" ? "scan0042.pdf" : "\(packet.fileName).pdf",
                    bytes: try office.batches.file(of: packet.id, by: .local).file.bytes)
            }
            let harvests = Harvests(office.sendings)
            let compared = try harvests.take(files, against: batch.id, by: .local)
            #expect(compared.problems.isEmpty && compared.harvest.forms.count == 2, "\(compared.problems)")
            #expect(compared.matches.map(\.name) == ["Zoë Ångström", "Bo Li"])
            let alone = try harvests.take(files, by: .local)
            #expect(alone.harvest.forms.isEmpty && alone.problems.count == 2)
            let typed = try harvests.take(files, password: "bo@example.org", by: .local)
            #expect(typed.harvest.forms.map(\.file) == ["scan0042.pdf"])
        }
    }
}
