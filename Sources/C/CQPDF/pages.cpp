#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"

#include <set>
#include <stdexcept>
#include <vector>

namespace {

using Handle = QPDFObjectHandle;
constexpr size_t most_pages = 500000;
constexpr size_t deepest = 100;

// What pages have from the nodes above them (ISO 32000-2 table 31).
constexpr const char *inheritable[] = {"/Resources", "/MediaBox", "/CropBox", "/Rotate"};

// Walks the tree of pages without trusting it: circles, nodes that hang in two places, kids that are not there. qpdf walks
// it by functions that call themselves, and one of them never comes back from a circle.
class PageWalk {
  public:
    explicit PageWalk(QPDF &pdf) : pdf(pdf) {}

    std::vector<Handle> pages;
    bool is_sound = true;
    // What its root counts; -1 when it does not say.
    long long counted = -1;

    void walk() {
        Handle top = root();
        if (!top.isDictionary()) {
            is_sound = false;
            return;
        }
        if (top.getKey("/Count").isInteger()) {
            counted = top.getKey("/Count").getIntValue();
        }
        enter(top);
        while (!open.empty()) {
            Step &step = open.back();
            if (step.next >= step.kids.getArrayNItems()) {
                open.pop_back();
                continue;
            }
            Handle kid = step.kids.getArrayItem(step.next++);
            if (!kid.isDictionary()) {
                is_sound = false;
            } else if (kid.hasKey("/Kids")) {
                enter(kid);
            } else {
                keep(kid);
            }
        }
    }

    // One list of all pages instead of the tree; each page has by itself what it had from above.
    void flatten() {
        Handle list = Handle::newArray();
        Handle top = pdf.makeIndirectObject(Handle::newDictionary());
        for (auto &page : pages) {
            bring_down(page);
            page.replaceKey("/Type", Handle::newName("/Page"));
            page.replaceKey("/Parent", top);
            list.appendItem(page);
        }
        top.replaceKey("/Type", Handle::newName("/Pages"));
        top.replaceKey("/Kids", list);
        top.replaceKey("/Count", Handle::newInteger(static_cast<long long>(pages.size())));
        catalog().replaceKey("/Pages", top);
        pdf.updateAllPagesCache();
    }

    // Pages that no node names, as long as there is no choice among them: of a file that was changed often some may have been
    // taken out on purpose. Gives how many there are.
    size_t take_lost() {
        std::set<QPDFObjGen> known;
        for (auto &page : pages) {
            known.insert(page.getObjGen());
        }
        std::vector<Handle> lost;
        for (auto &object : pdf.getAllObjects()) {
            if (object.isDictionary() && object.getKey("/Type").isNameAndEquals("/Page") && !object.hasKey("/Kids") &&
                known.count(object.getObjGen()) == 0) {
                lost.push_back(object);
            }
        }
        long long missing = counted - static_cast<long long>(pages.size());
        if (pages.empty() || static_cast<long long>(lost.size()) <= missing) {
            pages.insert(pages.end(), lost.begin(), lost.end());
            return lost.size();
        }
        return 0;
    }

  private:
    struct Step {
        Handle kids;
        int next = 0;
    };

    QPDF &pdf;
    std::vector<Step> open;
    std::set<QPDFObjGen> nodes;

    Handle catalog() {
        Handle found = pdf.getTrailer().getKey("/Root");
        if (found.isDictionary()) {
            return found;
        }
        for (auto &object : pdf.getAllObjects()) {
            if (object.isDictionary() && object.getKey("/Type").isNameAndEquals("/Catalog")) {
                found = object;
            }
        }
        if (!found.isDictionary()) {
            found = pdf.makeIndirectObject(Handle::newDictionary());
            found.replaceKey("/Type", Handle::newName("/Catalog"));
        }
        pdf.getTrailer().replaceKey("/Root", found);
        return found;
    }

    // Some catalogs lead into the middle of the tree.
    Handle root() {
        Handle top = catalog().getKey("/Pages"), node = top;
        std::set<QPDFObjGen> seen;
        while (node.isDictionary() && node.getKey("/Parent").isDictionary()) {
            is_sound = false;
            if (!seen.insert(node.getObjGen()).second) {
                return top;
            }
            node = node.getKey("/Parent");
        }
        return node;
    }

    void enter(Handle node) {
        Handle kids = node.getKey("/Kids");
        if (!kids.isArray()) {
            is_sound = false;
            if (node.hasKey("/Contents")) {
                keep(node);
            }
            return;
        }
        if (node.isIndirect() && !nodes.insert(node.getObjGen()).second) {
            is_sound = false;
            return;
        }
        is_sound = is_sound && open.size() < deepest;
        open.push_back({kids});
    }

    void keep(Handle page) {
        if (pages.size() >= most_pages) {
            throw std::runtime_error("it has more pages than any book");
        }
        pages.push_back(page.isIndirect() ? page : pdf.makeIndirectObject(page));
    }

    void bring_down(Handle page) {
        std::set<QPDFObjGen> seen;
        for (Handle node = page.getKey("/Parent"); node.isDictionary() && seen.insert(node.getObjGen()).second;
             node = node.getKey("/Parent")) {
            for (auto key : inheritable) {
                if (page.hasKey(key) || !node.hasKey(key)) {
                    continue;
                }
                Handle value = node.getKey(key);
                if (!value.isIndirect() && !value.isScalar()) {
                    value = pdf.makeIndirectObject(value);
                    node.replaceKey(key, value);
                }
                page.replaceKey(key, value);
            }
        }
    }
};

std::string words(long long count) { return std::to_string(count) + (count == 1 ? " page" : " pages"); }

} // namespace

const std::vector<Handle> &pages_of(quire_qpdf *file) {
    if (!file->has_looked_at_pages) {
        PageWalk walk(*file->pdf);
        walk.walk();
        long long found = static_cast<long long>(walk.pages.size());
        size_t lost = !walk.is_sound || walk.pages.empty() || walk.counted > found ? walk.take_lost() : 0;
        if (!walk.is_sound || lost > 0) {
            file->is_as_read = false;
            walk.flatten();
            file->remarks += "the list of pages was broken and had to be reconstructed: " +
                             words(static_cast<long long>(walk.pages.size())) + " found\n";
        }
        long long left = static_cast<long long>(walk.pages.size());
        if (walk.counted >= 0 && walk.counted != left) {
            file->remarks += "the list of pages says " + words(walk.counted) + ", and " + std::to_string(left) +
                             (left == 1 ? " is" : " are") + " there\n";
        }
        file->miscounts = walk.counted != left && walk.is_sound && lost == 0;
        // Only now: after an exception the tree is as broken as before.
        file->has_looked_at_pages = true;
    }
    return file->pdf->getAllPages();
}

// What is appended to a file with a wrong count leaves it as it is; a file written anew needs no flaw of the old one.
void settle_pages(quire_qpdf *file) {
    pages_of(file);
    if (file->miscounts) {
        PageWalk walk(*file->pdf);
        walk.walk();
        walk.flatten();
        file->miscounts = false;
    }
}
