import Conversion
import Markup

/// One picture large, with the corners of its sheet to drag and the page it becomes. It opens where scripts run.
enum ScanReview {
    static func dialog(_ frame: Frame) -> HTML {
        let t = frame.texts
        let corners = ["topLeft", "topRight", "bottomRight", "bottomLeft"].map { corner -> HTML in
            "<button class=\"scan-corner\" type=\"button\" data-corner aria-label=\"\(t("scan.corner.\(corner)"))\"></button>"
        }
        return """
            <dialog class="scan-review" data-review aria-labelledby="scan-review-title">
            <div class="scan-review-head"><h2 id="scan-review-title" tabindex="-1" autofocus data-title></h2>\
            <p class="scan-said small" data-said role="status"></p></div>
            <div class="scan-review-body"><div class="scan-frame" data-frame><div class="scan-photo" data-sheet><img data-photo alt="">\
            <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><polygon points=""></polygon></svg>\(corners)\
            <canvas class="scan-loupe" data-loupe width="1" height="1" hidden aria-hidden="true"></canvas></div></div>
            <div class="scan-made"><canvas data-result width="1" height="1" role="img" aria-label="\(t("scan.review.result"))"></canvas></div></div>
            <div class="scan-review-foot">
            \(Form.choices(
                name: "scan-side", label: t("scan.side"),
                options: [("photo", "\(t("scan.side.photo"))"), ("page", "\(t("scan.side.page"))")], chosen: "photo"))
            <div class="scan-tools" role="group" aria-label="\(t("scan.review.corners"))">\
            \(tool(frame, "undo", .restore, "scan.takeBack"))\(tool(frame, "find", .search, "scan.find"))\
            \(tool(frame, "whole", .screen, "scan.whole"))\(tool(frame, "left", .rotate, "scan.left"))\
            \(tool(frame, "right", .rotate, "scan.right"))</div>
            <div class="scan-own">\(Form.select(
                frame, name: "own-look", id: "scan-own-look", label: t("scan.review.look"),
                options: [("", t("scan.look.all"))] + ScanPage.looks.map { ($0, t("scan.look.\($0)")) }, chosen: ""))\
            <button class="button" type="button" data-act="all">\(t("scan.review.all"))</button></div>
            <div class="scan-tools" role="group" aria-label="\(t("scan.stack"))">\
            \(tool(frame, "previous", .previous, "scan.previous"))\(tool(frame, "retake", .camera, "scan.retake"))\
            \(tool(frame, "remove", .trash, "scan.review.remove"))\(tool(frame, "next", .next, "scan.next"))\(tool(frame, "done", .check, "scan.review.done"))</div></div>
            </dialog>
            """
    }

    private static func tool(_ frame: Frame, _ act: String, _ icon: Icon, _ key: String) -> HTML {
        """
        <button class="scan-tool" type="button" data-act="\(act)">\(frame.icon(icon))<span>\(frame.texts(key))</span></button>
        """
    }
}
