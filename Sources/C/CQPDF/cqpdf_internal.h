// What the parts of this target share.
#pragma once
#include "cqpdf.h"

#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>

#include <functional>
#include <memory>
#include <string>
#include <vector>

struct quire_qpdf {
    std::shared_ptr<QPDF> pdf;
    // Files whose streams this one still reads from.
    std::vector<std::shared_ptr<QPDF>> sources;
    int status = QUIRE_QPDF_OK;
    std::string message;
    std::string remarks;
    size_t remark_count = 0;
    bool has_checked_table = false;
    // The highest number the table has, once it was looked through.
    int highest = 0;
    // Which numbers it has.
    std::vector<bool> listed;
    // True while nothing but reading was done.
    bool is_as_read = false;
    bool has_looked_at_pages = false;
    // The list of pages is sound but for the number it says.
    bool miscounts = false;
    std::string answer;
    std::shared_ptr<Buffer> buffer;

    quire_bytes give(std::string text) {
        answer = std::move(text);
        return {reinterpret_cast<const unsigned char *>(answer.data()), answer.size()};
    }

    quire_bytes give(std::shared_ptr<Buffer> bytes) {
        buffer = std::move(bytes);
        static const unsigned char none = 0;
        return {buffer && buffer->getSize() ? buffer->getBuffer() : &none, buffer ? buffer->getSize() : 0};
    }
};

// As much of what qpdf says as a person reads: it quotes what it found, and that may be a million letters without an end.
inline std::string quoted(std::string text) {
    constexpr size_t longest = 240;
    for (auto &letter : text) {
        if (static_cast<unsigned char>(letter) < 32 || letter == 127) {
            letter = ' ';
        }
    }
    if (text.size() > longest) {
        text.resize(longest);
        text += "…";
    }
    return text;
}

// qpdf follows references by functions that call themselves, from bead to bead of an article and from child to parent; a
// chain through a hundred thousand objects is more than a usual stack holds. `objects`: how long one could be.
void on_deep_stack(size_t objects, const std::function<void()> &work);

// The pages in order; a broken tree of them is mended first, and that is a remark. Nothing else may ask qpdf for pages.
const std::vector<QPDFObjectHandle> &pages_of(quire_qpdf *file);

// The same before the whole file is written.
void settle_pages(quire_qpdf *file);

template <class Result, class Work>
Result guarded(quire_qpdf *file, Result otherwise, Work work) {
    try {
        return work();
    } catch (QPDFExc &problem) {
        file->status = problem.getErrorCode() == qpdf_e_password      ? QUIRE_QPDF_PASSWORD
                       : problem.getErrorCode() == qpdf_e_unsupported ? QUIRE_QPDF_UNSUPPORTED
                                                                      : QUIRE_QPDF_DAMAGED;
        file->message = quoted(problem.getMessageDetail().empty() ? problem.what() : problem.getMessageDetail());
    } catch (std::exception &problem) {
        file->status = QUIRE_QPDF_DAMAGED;
        file->message = quoted(problem.what());
    } catch (...) {
        file->status = QUIRE_QPDF_DAMAGED;
        file->message = "unknown trouble";
    }
    return otherwise;
}

