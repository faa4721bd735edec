import App
import Codes
public import Markup
import Starters
public import Storage
import WebAssets
import Work

/// The sheet that opens a desk whose folder is encrypted when its passphrase is forgotten; the program writes it, not the
/// desk, which nobody can ask before it is open.
public struct EncryptionSheet {
    let place: String
    let key: RecoveryKey
    let day: String

    public init(place: String, key: RecoveryKey, day: String) {
        self.place = place
        self.key = key
        self.day = day
    }

    public func pdf(in language: Language) throws -> [UInt8] {
        let t = Texts(Assets().catalog, language)
        let code = key.code
        return try RecoverySheet(
            title: t("sheet.disk.title"), lede: t("sheet.disk.lede"),
            facts: [(t("sheet.disk.folder"), place), (t("sheet.date"), day)], keyTitle: t("sheet.key"),
            groups: key.groups, stepsTitle: t("sheet.disk.steps"),
            steps: [t("sheet.disk.step.unlock"), t("sheet.disk.step.type"), t("sheet.disk.step.run")],
            command: "quire desk passphrase --home \(Config.quoted(place))", warning: t("sheet.disk.warning"),
            language: language.tag, paper: .usual(in: language), codeSize: code?.size ?? 0
        ) { code?[$0, $1] ?? false }.bytes()
    }
}
