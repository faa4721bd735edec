#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"

#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFOutlineDocumentHelper.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageLabelDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace {

using Handle = QPDFObjectHandle;
constexpr int deepest = 60;

// Puts pages of several files into a new one. Pages bring along what they refer to; what belongs to a whole file
// (form, bookmarks, attachments, layers, labels) is put together here.
class Assembly {
  public:
    explicit Assembly(QPDF &target) : target(target) {}

    void add(quire_qpdf *file, const int *pages, size_t count, const char *title) {
        auto all = pages_of(file);
        QPDF &source = *file->pdf;
        Part part{source};
        // What pages inherit from the tree above them must stand in them before they leave it.
        source.pushInheritedAttributesToPage();
        size_t first = target.getAllPages().size();
        for (size_t index = 0; index < count; ++index) {
            Handle page = all.at(static_cast<size_t>(pages[index]));
            target.addPage(page, false);
            Handle added = target.getAllPages().back();
            part.pages[page.getObjGen()] = added;
            part.order.push_back(page);
        }
        mend_links(part);
        take_fields(part);
        take_outline(part, title, first);
        take_labels(part, pages, count, first);
        take_layers(part);
        take_attachments(part);
        if (!has_info) {
            take_info(part);
        }
    }

    void finish() {
        Handle root = target.getRoot();
        if (fields.getArrayNItems() > 0) {
            Handle form = Handle::newDictionary();
            form.replaceKey("/Fields", fields);
            form.replaceKey("/DR", resources);
            form.replaceKey("/DA", Handle::newString("/Helv 0 Tf 0 g"));
            if (order.getArrayNItems() > 0) {
                form.replaceKey("/CO", order);
            }
            if (needs_appearances) {
                form.replaceKey("/NeedAppearances", Handle::newBool(true));
            }
            root.replaceKey("/AcroForm", target.makeIndirectObject(form));
        }
        if (!bookmarks.empty()) {
            Handle outlines = target.makeIndirectObject(Handle::newDictionary());
            outlines.replaceKey("/Type", Handle::newName("/Outlines"));
            chain(outlines, bookmarks);
            root.replaceKey("/Outlines", outlines);
        }
        if (has_labels) {
            Handle tree = Handle::newDictionary();
            tree.replaceKey("/Nums", Handle::newArray(labels));
            root.replaceKey("/PageLabels", tree);
        }
        if (layers.isInitialized()) {
            root.replaceKey("/OCProperties", layers);
        }
    }

    std::string remarks;

  private:
    struct Part {
        QPDF &source;
        std::map<QPDFObjGen, Handle> pages;
        std::vector<Handle> order;
    };

    QPDF &target;
    Handle fields = Handle::newArray();
    Handle order = Handle::newArray();
    Handle resources = Handle::newDictionary();
    bool needs_appearances = false;
    std::set<std::string> names;
    std::vector<Handle> bookmarks;
    std::vector<Handle> labels;
    bool has_labels = false;
    Handle layers;
    bool has_info = false;
    std::set<std::string> attachment_names;

    void remark(std::string const &kind, std::string const &text) { remarks += kind + "\t" + text + "\n"; }

    // Where a destination leads, as an array with a page of the new file; null when that page did not come along.
    Handle mended(Part &part, QPDFOutlineDocumentHelper &outlines, Handle destination) {
        if (destination.isName() || destination.isString()) {
            destination = outlines.resolveNamedDest(destination);
        }
        if (destination.isDictionary()) {
            destination = destination.getKey("/D");
        }
        if (!destination.isArray() || destination.getArrayNItems() == 0) {
            return Handle::newNull();
        }
        auto found = part.pages.find(destination.getArrayItem(0).getObjGen());
        if (found == part.pages.end()) {
            return Handle::newNull();
        }
        Handle result = Handle::newArray();
        result.appendItem(found->second);
        for (int index = 1; index < destination.getArrayNItems() && index < 8; ++index) {
            Handle item = destination.getArrayItem(index);
            result.appendItem(item.isIndirect() ? Handle::newNull() : item.shallowCopy());
        }
        return result;
    }

    // Links name their pages directly afterwards: names of places are lost with the file they were in.
    void mend_links(Part &part) {
        QPDFOutlineDocumentHelper outlines(part.source);
        for (auto page : part.order) {
            Handle from = page.getKey("/Annots");
            Handle added = part.pages[page.getObjGen()];
            Handle to = added.getKey("/Annots");
            if (!from.isArray() || !to.isArray()) {
                continue;
            }
            for (int index = 0; index < from.getArrayNItems() && index < to.getArrayNItems(); ++index) {
                Handle old = from.getArrayItem(index), copy = to.getArrayItem(index);
                if (!old.isDictionary() || !copy.isDictionary()) {
                    continue;
                }
                if (copy.hasKey("/P")) {
                    copy.replaceKey("/P", added);
                }
                Handle action = old.getKey("/A");
                bool goes = action.isDictionary() && action.getKey("/S").isName() &&
                            action.getKey("/S").getName() == "/GoTo";
                if (!goes && !old.hasKey("/Dest")) {
                    continue;
                }
                Handle place = mended(part, outlines, goes ? action.getKey("/D") : old.getKey("/Dest"));
                copy.removeKey("/A");
                copy.removeKey("/Dest");
                if (!place.isNull()) {
                    copy.replaceKey("/Dest", place);
                }
            }
        }
    }

    void take_fields(Part &part) {
        Handle form = part.source.getRoot().getKey("/AcroForm");
        if (!form.isDictionary()) {
            form = Handle::newDictionary();
        }
        std::set<QPDFObjGen> widgets, tops;
        std::vector<Handle> found;
        for (auto page : part.order) {
            Handle annotations = part.pages[page.getObjGen()].getKey("/Annots");
            if (!annotations.isArray()) {
                continue;
            }
            for (auto &annotation : annotations.aitems()) {
                if (!annotation.isDictionary() || !annotation.getKey("/Subtype").isName() ||
                    annotation.getKey("/Subtype").getName() != "/Widget") {
                    continue;
                }
                widgets.insert(annotation.getObjGen());
                Handle top = annotation;
                for (int depth = 0; depth < deepest && top.getKey("/Parent").isDictionary(); ++depth) {
                    top = top.getKey("/Parent");
                }
                if (top.isIndirect() && tops.insert(top.getObjGen()).second) {
                    found.push_back(top);
                }
            }
        }
        if (found.empty()) {
            return;
        }
        if (form.getKey("/NeedAppearances").isBool() && form.getKey("/NeedAppearances").getBoolValue()) {
            needs_appearances = true;
        }
        if (form.hasKey("/XFA")) {
            remark("xfa", "");
        }
        auto fonts = take_fonts(part, form);
        std::set<std::string> own;
        for (auto &top : found) {
            prune(top, widgets, 0);
            for (auto key : {"/DA", "/Q"}) {
                if (!top.hasKey(key) && form.hasKey(key) && !form.getKey(key).isIndirect()) {
                    top.replaceKey(key, form.getKey(key).shallowCopy());
                }
            }
            if (!fonts.empty()) {
                rename_fonts(top, fonts, 0);
            }
            if (drop_signatures(top, 0)) {
                remark("signature", "");
            }
            if (top.getKey("/T").isString()) {
                std::string name = top.getKey("/T").getUTF8Value(), free = name;
                // Two parts of one branch belong together; what another file called so is told apart.
                for (int number = 2; names.count(free) > 0; ++number) {
                    free = name + "_" + std::to_string(number);
                }
                if (free != name) {
                    top.replaceKey("/T", Handle::newUnicodeString(free));
                    remark("renamed", name + "\t" + free);
                }
                own.insert(free);
            }
            fields.appendItem(top);
        }
        names.insert(own.begin(), own.end());
        Handle calculated = form.getKey("/CO");
        if (calculated.isArray()) {
            for (auto &item : calculated.aitems()) {
                if (item.isDictionary() && item.isIndirect()) {
                    Handle copy = target.copyForeignObject(item), top = copy;
                    for (int depth = 0; depth < deepest && top.getKey("/Parent").isDictionary(); ++depth) {
                        top = top.getKey("/Parent");
                    }
                    if (tops.count(top.getObjGen()) > 0) {
                        order.appendItem(copy);
                    }
                }
            }
        }
    }

    // Takes places on pages that did not come along out of a branch; false when nothing is left of it.
    bool prune(Handle node, std::set<QPDFObjGen> const &widgets, int depth) {
        Handle kids = node.getKey("/Kids");
        if (!kids.isArray()) {
            return widgets.count(node.getObjGen()) > 0;
        }
        if (depth > deepest) {
            return true;
        }
        Handle left = Handle::newArray();
        for (auto &kid : kids.aitems()) {
            if (kid.isDictionary() && prune(kid, widgets, depth + 1)) {
                left.appendItem(kid);
            }
        }
        node.replaceKey("/Kids", left);
        return left.getArrayNItems() > 0;
    }

    bool drop_signatures(Handle node, int depth) {
        bool dropped = false;
        Handle type = node.getKey("/FT");
        if (type.isName() && type.getName() == "/Sig" && node.hasKey("/V")) {
            node.removeKey("/V");
            dropped = true;
        }
        Handle kids = node.getKey("/Kids");
        if (kids.isArray() && depth < deepest) {
            for (auto &kid : kids.aitems()) {
                if (kid.isDictionary() && drop_signatures(kid, depth + 1)) {
                    dropped = true;
                }
            }
        }
        return dropped;
    }

    // The fonts fields may be filled with. Two different ones of one name are told apart; gives the new names.
    std::map<std::string, std::string> take_fonts(Part &part, Handle form) {
        std::map<std::string, std::string> renamed;
        Handle from = form.getKey("/DR");
        if (!from.isDictionary()) {
            return renamed;
        }
        for (auto &kind : from.getKeys()) {
            Handle group = from.getKey(kind);
            if (!group.isDictionary()) {
                continue;
            }
            if (!resources.hasKey(kind)) {
                resources.replaceKey(kind, Handle::newDictionary());
            }
            Handle to = resources.getKey(kind);
            for (auto &name : group.getKeys()) {
                Handle value = group.getKey(name);
                Handle copy = value.isIndirect() ? target.copyForeignObject(value)
                                                 : target.copyForeignObject(part.source.makeIndirectObject(value));
                std::string free = name;
                if (to.hasKey(name) && (kind != "/Font" || same_font(to.getKey(name), copy))) {
                    continue;
                }
                for (int number = 2; to.hasKey(free); ++number) {
                    free = name + "_" + std::to_string(number);
                }
                if (free != name) {
                    renamed[name] = free;
                }
                to.replaceKey(free, copy);
            }
        }
        return renamed;
    }

    static bool same_font(Handle a, Handle b) {
        if (!a.isDictionary() || !b.isDictionary()) {
            return false;
        }
        // Fonts without a program of their own are alike when they say the same.
        return !a.hasKey("/FontDescriptor") && !b.hasKey("/FontDescriptor") &&
               a.getKey("/BaseFont").unparseResolved() == b.getKey("/BaseFont").unparseResolved() &&
               a.getKey("/Encoding").unparseResolved() == b.getKey("/Encoding").unparseResolved();
    }

    void rename_fonts(Handle node, std::map<std::string, std::string> const &fonts, int depth) {
        if (node.getKey("/DA").isString()) {
            std::string text = node.getKey("/DA").getStringValue();
            for (auto &font : fonts) {
                size_t at = text.find(font.first);
                size_t end = at == std::string::npos ? at : at + font.first.size();
                if (at != std::string::npos && (end == text.size() || isspace((unsigned char)text[end]))) {
                    text.replace(at, font.first.size(), font.second);
                    break;
                }
            }
            node.replaceKey("/DA", Handle::newString(text));
        }
        Handle kids = node.getKey("/Kids");
        if (kids.isArray() && depth < deepest) {
            for (auto &kid : kids.aitems()) {
                if (kid.isDictionary()) {
                    rename_fonts(kid, fonts, depth + 1);
                }
            }
        }
    }

    // One bookmark for the part when it has a title, with the file's own bookmarks below it.
    void take_outline(Part &part, const char *title, size_t first) {
        QPDFOutlineDocumentHelper outlines(part.source);
        std::vector<Handle> own;
        if (outlines.hasOutlines()) {
            for (auto &item : outlines.getTopLevelOutlines()) {
                Handle copy = bookmark(part, outlines, item, 0);
                if (!copy.isNull()) {
                    own.push_back(copy);
                }
            }
        }
        if (title == nullptr) {
            bookmarks.insert(bookmarks.end(), own.begin(), own.end());
            return;
        }
        auto pages = target.getAllPages();
        if (first >= pages.size()) {
            return;
        }
        Handle head = target.makeIndirectObject(Handle::newDictionary());
        head.replaceKey("/Title", Handle::newUnicodeString(title));
        Handle place = Handle::newArray();
        place.appendItem(pages[first]);
        place.appendItem(Handle::newName("/Fit"));
        head.replaceKey("/Dest", place);
        chain(head, own);
        bookmarks.push_back(head);
    }

    // A bookmark whose page did not come along goes, unless one below it stays.
    Handle bookmark(Part &part, QPDFOutlineDocumentHelper &outlines, QPDFOutlineObjectHelper item, int depth) {
        std::vector<Handle> below;
        if (depth < deepest) {
            for (auto &kid : item.getKids()) {
                Handle copy = bookmark(part, outlines, kid, depth + 1);
                if (!copy.isNull()) {
                    below.push_back(copy);
                }
            }
        }
        Handle place = mended(part, outlines, item.getDest());
        if (place.isNull() && below.empty()) {
            return Handle::newNull();
        }
        Handle copy = target.makeIndirectObject(Handle::newDictionary());
        copy.replaceKey("/Title", Handle::newUnicodeString(item.getTitle()));
        if (!place.isNull()) {
            copy.replaceKey("/Dest", place);
        }
        chain(copy, below);
        return copy;
    }

    void chain(Handle parent, std::vector<Handle> &items) {
        if (items.empty()) {
            return;
        }
        for (size_t index = 0; index < items.size(); ++index) {
            items[index].replaceKey("/Parent", parent);
            if (index > 0) {
                items[index].replaceKey("/Prev", items[index - 1]);
            }
            if (index + 1 < items.size()) {
                items[index].replaceKey("/Next", items[index + 1]);
            }
        }
        parent.replaceKey("/First", items.front());
        parent.replaceKey("/Last", items.back());
        bool isTop = parent.getKey("/Type").isName();
        // Below a bookmark they are folded away at first.
        long long count = static_cast<long long>(items.size());
        parent.replaceKey("/Count", Handle::newInteger(isTop ? count : -count));
    }

    void take_labels(Part &part, const int *pages, size_t count, size_t first) {
        QPDFPageLabelDocumentHelper helper(part.source);
        if (helper.hasPageLabels()) {
            has_labels = true;
        }
        for (size_t index = 0; index < count; ++index) {
            Handle label = helper.hasPageLabels() ? helper.getLabelForPage(pages[index]) : Handle::newNull();
            if (!label.isDictionary()) {
                label = Handle::newDictionary();
                label.replaceKey("/S", Handle::newName("/D"));
                label.replaceKey("/St", Handle::newInteger(static_cast<long long>(first + index + 1)));
            } else {
                label = Handle::parse(label.unparseResolved());
            }
            labels.push_back(Handle::newInteger(static_cast<long long>(first + index)));
            labels.push_back(label);
        }
    }

    // Layers that are off would all be shown without this.
    void take_layers(Part &part) {
        Handle from = part.source.getRoot().getKey("/OCProperties");
        if (!from.isDictionary()) {
            return;
        }
        Handle copy = target.copyForeignObject(
            from.isIndirect() ? from : part.source.makeIndirectObject(from));
        if (!layers.isInitialized()) {
            layers = copy;
            return;
        }
        append(layers, copy, "/OCGs");
        Handle mine = layers.getKey("/D"), theirs = copy.getKey("/D");
        if (mine.isDictionary() && theirs.isDictionary()) {
            for (auto key : {"/ON", "/OFF", "/Order", "/Locked", "/AS", "/RBGroups"}) {
                append(mine, theirs, key);
            }
        }
    }

    static void append(Handle to, Handle from, char const *key) {
        if (!from.getKey(key).isArray()) {
            return;
        }
        if (!to.getKey(key).isArray()) {
            to.replaceKey(key, Handle::newArray());
        }
        for (auto &item : from.getKey(key).aitems()) {
            to.getKey(key).appendItem(item);
        }
    }

    void take_attachments(Part &part) {
        QPDFEmbeddedFileDocumentHelper from(part.source);
        if (!from.hasEmbeddedFiles()) {
            return;
        }
        QPDFEmbeddedFileDocumentHelper to(target);
        for (auto &file : from.getEmbeddedFiles()) {
            std::string name = file.first;
            for (int number = 2; !attachment_names.insert(name).second; ++number) {
                name = file.first + "_" + std::to_string(number);
            }
            Handle specification = file.second->getObjectHandle();
            if (!specification.isIndirect()) {
                specification = part.source.makeIndirectObject(specification);
            }
            to.replaceEmbeddedFile(name, QPDFFileSpecObjectHelper(target.copyForeignObject(specification)));
        }
    }

    // Title, author and language are those of the first file.
    void take_info(Part &part) {
        has_info = true;
        Handle info = part.source.getTrailer().getKey("/Info");
        if (info.isDictionary()) {
            target.getTrailer().replaceKey(
                "/Info",
                target.copyForeignObject(info.isIndirect() ? info : part.source.makeIndirectObject(info)));
        }
        Handle root = part.source.getRoot();
        for (auto key : {"/Metadata", "/Lang", "/ViewerPreferences", "/PageLayout", "/PageMode"}) {
            Handle value = root.getKey(key);
            if (value.isNull()) {
                continue;
            }
            target.getRoot().replaceKey(
                key, value.isIndirect() ? target.copyForeignObject(value)
                     : value.isScalar() ? value.shallowCopy()
                                        : target.copyForeignObject(part.source.makeIndirectObject(value)));
        }
        if (root.hasKey("/StructTreeRoot")) {
            remark("tags", "");
        }
    }
};

} // namespace

quire_qpdf *quire_qpdf_assemble(const quire_qpdf_part *parts, size_t count) {
    auto *file = new quire_qpdf;
    guarded(file, 0, [&] {
        file->pdf = QPDF::create();
        file->pdf->emptyPDF();
        file->pdf->setSuppressWarnings(true);
        Assembly assembly(*file->pdf);
        size_t objects = 0;
        for (size_t index = 0; index < count; ++index) {
            objects = std::max(objects, parts[index].file->pdf->getXRefTable().size());
        }
        on_deep_stack(objects, [&] {
            for (size_t index = 0; index < count; ++index) {
                file->sources.push_back(parts[index].file->pdf);
                assembly.add(parts[index].file, parts[index].pages, parts[index].count, parts[index].title);
            }
            assembly.finish();
        });
        file->remarks = assembly.remarks;
        file->has_checked_table = true;
        return 0;
    });
    return file;
}

int quire_qpdf_rotate(quire_qpdf *file, int page, int angle, int relative) {
    return guarded(file, 0, [&] {
        file->is_as_read = false;
        QPDFPageObjectHelper(pages_of(file).at(static_cast<size_t>(page))).rotatePage(angle, relative != 0);
        return 1;
    });
}

int quire_qpdf_reorder(quire_qpdf *file, const int *pages, size_t count) {
    return guarded(file, 0, [&] {
        file->is_as_read = false;
        std::vector<Handle> before = pages_of(file);
        file->pdf->pushInheritedAttributesToPage();
        for (auto &page : before) {
            file->pdf->removePage(page);
        }
        for (size_t index = 0; index < count; ++index) {
            file->pdf->addPage(before.at(static_cast<size_t>(pages[index])), false);
        }
        return 1;
    });
}
