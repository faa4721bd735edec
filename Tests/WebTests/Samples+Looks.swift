import App

@testable import Web

extension Samples {
    /// A color that is too pale, and one thing that could not be taken.
    static var looks: LooksPage {
        let looks = Looks(
            name: "Atelier Tremblay", colour: "#f2b705", letterhead: "12, rue des Lilas\nMontr\u{E9}al")
        return LooksPage(
            looks: looks, worn: Worn(looks, Identity()), organization: "Ruiz & Daughters",
            error: "This picture is damaged. Take another one.", errorField: "file",
            paper: "/templates/starters/letter/picture")
    }
}
