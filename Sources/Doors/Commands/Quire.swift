extension Command {
    /// The whole command line.
    static let quire = Command(
        name: "quire", summary: "your private paper desk",
        discussion: """
            Keeps papers on a desk of your own: take them in, find them, share them, work on them in the browser and \
            on the phone. Everything lies in one folder on this machine, and nothing leaves it unless you send it.
            """,
        examples: [
            Example("quire add letter.pdf", "put a paper on the desk"),
            Example("quire serve", "open the desk to your browser, and to your phone"),
            Example("quire list invoice", "find papers by name"),
            Example("quire fill form.pdf people.csv --out forms", "fill a form for everybody in a table"),
            Example("quire backup /mnt/disk/quire", "keep a copy of everything"),
            Example("quire doctor", "see what works and what is missing"),
        ],
        subcommands: [
            .add, .unpack, .importPaperless, .list, .find, .recognise, .searchable, .show, .activity, .get,
            .rename, .move,
            .tag, .folder,
            .label, .field, .hold, .release, .retention, .rule, .suggestions, .share,
            .versions, .replace,
            .bringBack,
            .changes, .trash, .restoreFromTrash, .emptyTrash, .sync, .mirror,
            .fields, .map, .plan, .apply, .fill, .harvest, .flatten,
            .convert, .scan, .gotenberg, .merge, .split, .pages, .bookmarks, .attachments, .encrypt,
            .decrypt, .annotate, .stamp, .number, .nup, .booklet, .poster, .background, .resize, .crop,
            .compress, .redact,
            .sanitise,
            .compare,
            .info, .check, .sign, .signatures,
            .serve, .jobs, .notices, .figures, .looks, .plans, .users, .tokens, .identity, .config,
            .template, .recipients, .contacts, .card, .batch, .bundle, .packet, .mail, .send, .outbox,
            .ledger,
            .schedule,
            .doctor, .verify, .backup, .restore, .sweep, .desk,
            .help, .man, .completions, .version,
        ])
}
