#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"

#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

#include <algorithm>

namespace {

// What a page of one file draws, as a picture in another; copied once, however often it is drawn.
QPDFObjectHandle picture_of(quire_qpdf *file, quire_qpdf *stamp, QPDFPageObjectHelper &source) {
    QPDFObjectHandle drawing;
    on_deep_stack(stamp->pdf->getXRefTable().size(), [&] {
        drawing = file->pdf->copyForeignObject(source.getFormXObjectForPage());
    });
    if (std::find(file->sources.begin(), file->sources.end(), stamp->pdf) == file->sources.end()) {
        file->sources.push_back(stamp->pdf);
    }
    return drawing;
}

std::string name_on(QPDFPageObjectHelper &target, QPDFObjectHandle drawing) {
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
    return name;
}

} // namespace

extern "C" int quire_qpdf_overlay(quire_qpdf *file, int page, quire_qpdf *stamp, int stamp_page, int under) {
    return guarded(file, 0, [&] {
        QPDFPageObjectHelper target(pages_of(file).at(static_cast<size_t>(page)));
        QPDFPageObjectHelper source(pages_of(stamp).at(static_cast<size_t>(stamp_page)));
        QPDFObjectHandle drawing = picture_of(file, stamp, source);
        std::string name = name_on(target, drawing);
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

extern "C" int quire_qpdf_adopt(quire_qpdf *file, quire_qpdf *stamp, int stamp_page, const char *key) {
    return guarded(file, 0, [&] {
        QPDFPageObjectHelper source(pages_of(stamp).at(static_cast<size_t>(stamp_page)));
        source.getObjectHandle().removeKey("/TrimBox");
        file->pdf->getRoot().replaceKey(key, picture_of(file, stamp, source));
        return 1;
    });
}

extern "C" int quire_qpdf_place(quire_qpdf *file, int page, quire_qpdf *stamp, int stamp_page, const double *box) {
    return guarded(file, 0, [&] {
        QPDFPageObjectHelper target(pages_of(file).at(static_cast<size_t>(page)));
        QPDFPageObjectHelper source(pages_of(stamp).at(static_cast<size_t>(stamp_page)));
        // What is seen of it, and no more: a narrower trim box is the printer's business.
        source.getObjectHandle().removeKey("/TrimBox");
        QPDFObjectHandle drawing = picture_of(file, stamp, source);
        std::string name = name_on(target, drawing);
        QPDFObjectHandle::Rectangle place(box[0], box[1], box[2], box[3]);
        std::string content = target.placeFormXObject(drawing, name, place, true, true, true);
        target.addPageContents(file->pdf->newStream(content + "\n"), false);
        return 1;
    });
}

extern "C" int quire_qpdf_flatten(quire_qpdf *file) {
    return guarded(file, 0, [&] {
        pages_of(file);
        on_deep_stack(file->pdf->getXRefTable().size(), [&] {
            QPDFPageDocumentHelper(*file->pdf).flattenAnnotations(0, an_invisible | an_hidden | an_no_view);
        });
        file->is_as_read = false;
        return 1;
    });
}
