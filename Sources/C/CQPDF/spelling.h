// Objects as text.
#pragma once
#include "cqpdf_internal.h"

#include <qpdf/QPDFObjectHandle.hh>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

// Finds out which numbers the file has.
void look_through_table(quire_qpdf *file);

// Writes objects as text the way they stand in the file. qpdf's own way leaves out entries that are null, and to know
// that it reads every object that is pointed to.
class Spelling {
  public:
    // `met` hears of everything that is pointed to.
    Spelling(quire_qpdf *file, std::string &out, std::vector<QPDFObjGen> *met = nullptr)
        : file(file), out(out), met(met) {}

    void value(QPDFObjectHandle object) {
        switch (object.getTypeCode()) {
        case ::ot_boolean: out += object.getBoolValue() ? "true" : "false"; break;
        case ::ot_integer: out += std::to_string(object.getIntValue()); break;
        case ::ot_real: out += object.getRealValue(); break;
        case ::ot_string: string(object.getStringValue()); break;
        case ::ot_name: name(object.getName()); break;
        case ::ot_array: {
            out += '[';
            for (auto &item : object.getArrayAsVector()) {
                out += ' ';
                inside(item);
            }
            out += ']';
            break;
        }
        case ::ot_dictionary: dictionary(object); break;
        case ::ot_stream: dictionary(object.getDict()); break;
        default: out += "null";
        }
    }

    // The entries of a dictionary without its brackets, and without those left out.
    void entries(QPDFObjectHandle object, const std::vector<std::string> &without) {
        for (auto &entry : object.getDictAsMap()) {
            if (is_nothing(entry.second) ||
                std::find(without.begin(), without.end(), entry.first) != without.end()) {
                continue;
            }
            name(entry.first);
            out += ' ';
            inside(entry.second);
        }
    }

  private:
    quire_qpdf *file;
    std::string &out;
    std::vector<QPDFObjGen> *met;

    void inside(QPDFObjectHandle object) {
        if (object.isIndirect()) {
            out += std::to_string(object.getObjectID());
            out += ' ';
            out += std::to_string(object.getGeneration());
            out += " R";
            if (met != nullptr) {
                met->push_back(object.getObjGen());
            }
        } else {
            value(object);
        }
    }

    void dictionary(QPDFObjectHandle object) {
        out += "<<";
        entries(object, {});
        out += ">>";
    }

    // An entry that points to what is not there is as if it were not there itself (ISO 32000-2 §7.3.7).
    bool is_nothing(QPDFObjectHandle object) {
        if (!object.isIndirect()) {
            return object.isNull();
        }
        size_t number = static_cast<size_t>(object.getObjectID());
        bool is_listed = number < file->listed.size() && file->listed[number];
        return !is_listed && object.isNull();
    }

    void name(const std::string &text) {
        static const char digits[] = "0123456789ABCDEF";
        out += '/';
        for (size_t index = 1; index < text.size(); ++index) {
            unsigned char byte = static_cast<unsigned char>(text[index]);
            if (byte <= 32 || byte >= 127 || strchr("#()<>[]{}/%", byte) != nullptr) {
                out += '#';
                out += digits[byte >> 4];
                out += digits[byte & 15];
            } else {
                out += static_cast<char>(byte);
            }
        }
    }

    void string(const std::string &text) {
        out += '(';
        for (char byte : text) {
            switch (byte) {
            case '(':
            case ')':
            case '\\': out += '\\'; out += byte; break;
            case '\r': out += "\\r"; break;
            default: out += byte;
            }
        }
        out += ')';
    }
};
