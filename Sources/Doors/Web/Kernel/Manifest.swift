import Bytes
import Markup
import WebAssets

/// The web app manifest, per language: name, icons, shortcuts, and where shared files go.
enum Manifest {
    static func json(_ frame: Frame) -> JSON {
        let t = frame.texts
        func icon(_ name: String, _ sizes: String, _ type: String, _ purpose: String = "any") -> JSON {
            [
                "src": .string(frame.assets.address(of: name)), "sizes": .string(sizes),
                "type": .string(type), "purpose": .string(purpose),
            ]
        }
        func shortcut(_ name: String, _ address: String) -> JSON {
            [
                "name": .string(t(name)), "url": .string(address),
                "icons": [icon("icon-192.png", "192x192", "image/png")],
            ]
        }
        return [
            "id": "/",
            "name": "Quire",
            "short_name": "Quire",
            "description": .string(t("app.description")),
            "lang": .string(frame.texts.language.tag),
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f7f6f1",
            "theme_color": "#f7f6f1",
            "categories": ["productivity", "utilities"],
            "icons": [
                icon("icon.svg", "any", "image/svg+xml"),
                icon("icon-192.png", "192x192", "image/png"),
                icon("icon-512.png", "512x512", "image/png"),
                icon("icon-maskable-512.png", "512x512", "image/png", "maskable"),
            ],
            "shortcuts": [
                shortcut("make.photo", "/scan"),
                shortcut("make.papers", "/documents/new"),
                shortcut("desk.recent", "/documents?sort=added"),
                shortcut("cards.mine", "/cards"),
            ],
            "share_target": [
                "action": "/shared",
                "method": "POST",
                "enctype": "multipart/form-data",
                "params": [
                    "title": "name", "text": "text", "url": "address",
                    "files": [["name": "file", "accept": ["*/*"]]],
                ],
            ],
        ]
    }
}
