#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"
#include "spelling.h"

#include <qpdf/Buffer.hh>
#include <qpdf/QPDFWriter.hh>

#include <zlib.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace {

struct Row {
    unsigned kind;
    uint64_t place;
    unsigned index;
};

// A file as it is being written: its bytes, and where its objects are.
class Compact {
  public:
    explicit Compact(quire_qpdf *file) : file(file) {
        std::string version = std::max<std::string>(file->pdf->getPDFVersion(), "1.5");
        // The second line tells file transfer programs that this is no text.
        out = "%PDF-" + version + "\n%\xE2\xE3\xCF\xD3\n";
        rows[0] = {0, 0, 65535};
    }

    void write() {
        QPDFObjectHandle trailer = file->pdf->getTrailer();
        for (auto key : {"/Root", "/Info"}) {
            if (trailer.getKey(key).isIndirect()) {
                waiting.push_back(trailer.getKey(key).getObjGen());
            }
        }
        // In the order in which they are met, so that the same file gives the same bytes.
        for (size_t next = 0; next < waiting.size(); ++next) {
            put(waiting[next]);
        }
        pack();
        finish(trailer);
    }

    std::string out;

  private:
    quire_qpdf *file;
    std::map<int, Row> rows;
    std::vector<QPDFObjGen> waiting;
    std::map<int, int> generations;
    std::map<int, std::string> small;

    // More objects together are packed better, but reading one means reading them all.
    static constexpr size_t pack_count = 200;

    void begin(int number, int generation) {
        rows[number] = {1, out.size(), static_cast<unsigned>(generation)};
        out += std::to_string(number) + " " + std::to_string(generation) + " obj\n";
    }

    void put(QPDFObjGen place) {
        int number = place.getObj(), generation = place.getGen();
        auto known = generations.emplace(number, generation);
        if (!known.second) {
            if (known.first->second != generation) {
                throw std::runtime_error("two generations of one object are in use");
            }
            return;
        }
        QPDFObjectHandle object = file->pdf->getObject(place);
        if (object.isStream()) {
            put_stream(number, generation, object);
        } else if (!object.isNull()) {
            std::string text;
            Spelling(file, text, &waiting).value(object);
            if (generation == 0) {
                small[number] = std::move(text);
            } else {
                begin(number, generation);
                out += text + "\nendobj\n";
            }
        }
    }

    void put_stream(int number, int generation, QPDFObjectHandle object) {
        QPDFObjectHandle dictionary = object.getDict();
        auto data = object.getRawStreamData();
        std::string text(reinterpret_cast<const char *>(data->getBuffer()), data->getSize());
        std::string packed;
        // Metadata are read by programs that know nothing else of the file.
        if (!dictionary.hasKey("/Filter") && !dictionary.getKey("/Type").isNameAndEquals("/Metadata")) {
            packed = deflated(text);
        }
        bool is_packed = !packed.empty() && packed.size() + 20 < text.size();
        begin(number, generation);
        out += "<<";
        Spelling(file, out, &waiting)
            .entries(dictionary, is_packed ? std::vector<std::string>{"/Length", "/DecodeParms"}
                                           : std::vector<std::string>{"/Length"});
        put_data(is_packed ? packed : text, is_packed);
    }

    // The rest of a stream, from what its dictionary says last.
    void put_data(const std::string &data, bool is_packed) {
        out += is_packed ? "/Filter/FlateDecode/Length " : "/Length ";
        out += std::to_string(data.size()) + ">>\nstream\n";
        out += data;
        out += "\nendstream\nendobj\n";
    }

    static std::string deflated(const std::string &text) {
        uLongf count = compressBound(text.size());
        std::string packed(count, '\0');
        if (compress2(
                reinterpret_cast<Bytef *>(&packed[0]), &count, reinterpret_cast<const Bytef *>(text.data()),
                text.size(), Z_DEFAULT_COMPRESSION) != Z_OK) {
            throw std::runtime_error("out of memory");
        }
        packed.resize(count);
        return packed;
    }

    int next_number() { return std::max(file->highest, rows.rbegin()->first) + 1; }

    void pack() {
        auto object = small.begin();
        while (object != small.end()) {
            int own = std::max(next_number(), small.rbegin()->first + 1);
            std::string head, body;
            unsigned index = 0;
            for (; index < pack_count && object != small.end(); ++index, ++object) {
                head += std::to_string(object->first) + " " + std::to_string(body.size()) + " ";
                body += object->second + "\n";
                rows[object->first] = {2, static_cast<uint64_t>(own), index};
            }
            begin(own, 0);
            out += "<</Type/ObjStm/N " + std::to_string(index) + "/First " + std::to_string(head.size());
            put_data(deflated(head + body), true);
        }
    }

    void finish(QPDFObjectHandle trailer) {
        int own = next_number();
        size_t place = out.size();
        rows[own] = {1, place, 0};
        std::string name = fingerprint();
        std::string first = name;
        QPDFObjectHandle names = trailer.getKey("/ID");
        if (names.isArray() && names.getArrayNItems() > 0 && names.getArrayItem(0).isString()) {
            first = names.getArrayItem(0).getStringValue();
        }
        out += std::to_string(own) + " 0 obj\n<</Type/XRef/Size " + std::to_string(own + 1);
        for (auto key : {"/Root", "/Info"}) {
            if (trailer.getKey(key).isIndirect()) {
                out += key;
                out += " " + trailer.getKey(key).unparse();
            }
        }
        out += "/ID[" + hexadecimal(first) + hexadecimal(name) + "]/Index[";
        std::string table;
        put_rows(table);
        out += "]/W[1 4 2]/DecodeParms<</Predictor 12/Columns 7>>";
        put_data(deflated(table), true);
        out += "startxref\n" + std::to_string(place) + "\n%%EOF\n";
    }

    // Writes which numbers there are into `out`, and what is to be said of them into `table`: the differences to the
    // row above (PNG's "up"), since most rows differ from their neighbour in a byte or two.
    void put_rows(std::string &table) {
        int begun = -1, last = -1;
        std::string above(7, '\0');
        for (auto &row : rows) {
            if (row.first != last + 1 || begun < 0) {
                if (begun >= 0) {
                    out += std::to_string(last - begun + 1) + " ";
                }
                begun = row.first;
                out += std::to_string(begun) + " ";
            }
            last = row.first;
            std::string bytes(1, static_cast<char>(row.second.kind));
            for (int shift = 24; shift >= 0; shift -= 8) {
                bytes += static_cast<char>(row.second.place >> shift);
            }
            bytes += static_cast<char>(row.second.index >> 8);
            bytes += static_cast<char>(row.second.index);
            table += '\2';
            for (size_t index = 0; index < bytes.size(); ++index) {
                table += static_cast<char>(bytes[index] - above[index]);
            }
            above = bytes;
        }
        out += std::to_string(last - begun + 1);
    }

    // Sixteen bytes that differ when the file does (two sums after Fowler, Noll and Vo).
    std::string fingerprint() {
        uint64_t sums[2] = {14695981039346656037ULL, 0x9E3779B97F4A7C15ULL};
        for (char byte : out) {
            for (auto &sum : sums) {
                sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
            }
            sums[1] ^= sums[1] >> 29;
        }
        std::string name;
        for (auto sum : sums) {
            for (int shift = 0; shift < 64; shift += 8) {
                name += static_cast<char>(sum >> shift);
            }
        }
        return name;
    }

    static std::string hexadecimal(const std::string &bytes) {
        static const char digits[] = "0123456789ABCDEF";
        std::string text = "<";
        for (char byte : bytes) {
            text += digits[static_cast<unsigned char>(byte) >> 4];
            text += digits[byte & 15];
        }
        return text + ">";
    }
};

} // namespace

quire_bytes quire_qpdf_compact(quire_qpdf *file) {
    quire_bytes nothing = {nullptr, 0};
    try {
        if (file->pdf->isEncrypted() || file->pdf->anyWarnings()) {
            return nothing;
        }
        look_through_table(file);
        Compact compact(file);
        compact.write();
        // What was damaged is only seen when it is read.
        if (file->pdf->anyWarnings() || compact.out.size() >= UINT32_MAX) {
            return nothing;
        }
        return file->give(std::move(compact.out));
    } catch (std::exception &) {
        return nothing;
    }
}
