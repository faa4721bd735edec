// What the parts of this target share.
#pragma once
#include "cqpdf.h"

#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>

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
    bool has_checked_table = false;
    // The highest number the table has, once it was looked through.
    int highest = 0;
    // Which numbers it has.
    std::vector<bool> listed;
    // True while nothing but reading was done.
    bool is_as_read = false;
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

template <class Result, class Work>
Result guarded(quire_qpdf *file, Result otherwise, Work work) {
    try {
        return work();
    } catch (QPDFExc &problem) {
        file->status = problem.getErrorCode() == qpdf_e_password ? QUIRE_QPDF_PASSWORD : QUIRE_QPDF_DAMAGED;
        file->message = problem.getMessageDetail().empty() ? problem.what() : problem.getMessageDetail();
    } catch (std::exception &problem) {
        file->status = QUIRE_QPDF_DAMAGED;
        file->message = problem.what();
    } catch (...) {
        file->status = QUIRE_QPDF_DAMAGED;
        file->message = "unknown trouble";
    }
    return otherwise;
}

