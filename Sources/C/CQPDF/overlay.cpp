#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"

#include <qpdf/QPDFPageObjectHelper.hh>

#include <algorithm>

extern "C" int quire_qpdf_overlay(quire_qpdf *file, int page, quire_qpdf *stamp, int stamp_page, int under) {
    return guarded(file, 0, [&] {
        QPDFPageObjectHelper target(pages_of(file).at(static_cast<size_t>(page)));
        QPDFPageObjectHelper source(pages_of(stamp).at(static_cast<size_t>(stamp_page)));
        // Copied once, however many pages it is drawn on.
        QPDFObjectHandle drawing;
        on_deep_stack(stamp->pdf->getXRefTable().size(), [&] {
            drawing = file->pdf->copyForeignObject(source.getFormXObjectForPage());
        });
        if (std::find(file->sources.begin(), file->sources.end(), stamp->pdf) == file->sources.end()) {
            file->sources.push_back(stamp->pdf);
        }
        auto resources = target.getAttribute("/Resources", true);
        if (!resources.isDictionary()) {
            resources = QPDFObjectHandle::newDictionary();
            target.getObjectHandle().replaceKey("/Resources", resources);
        }
        if (!resources.getKey("/XObject").isDictionary()) {
            resources.replaceKey("/XObject", QPDFObjectHandle::newDictionary());
        }
        int suffix = 1;
        std::string name = resources.getUniqueResourceName("/Stamp", suffix);
        resources.getKey("/XObject").replaceKey(name, drawing);
        std::string content = target.placeFormXObject(drawing, name, target.getTrimBox().getArrayAsRectangle());
        if (under) {
            target.addPageContents(file->pdf->newStream(content + "\n"), true);
        } else {
            // Whatever the page leaves behind of its own must not move the stamp.
            target.addPageContents(file->pdf->newStream("q\n"), true);
            target.addPageContents(file->pdf->newStream("\nQ\n" + content + "\n"), false);
        }
        return 1;
    });
}
