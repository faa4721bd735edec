#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"
#include "spelling.h"

#include <algorithm>
#include <qpdf/Buffer.hh>
#include <qpdf/BufferInputSource.hh>
#include <qpdf/Constants.h>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_Flate.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFAcroFormDocumentHelper.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include <zlib.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Ends decoding when a stream turns out larger than its reader is ready for.
class Pl_Limit : public Pipeline {
  public:
    Pl_Limit(Pipeline *next, size_t limit) : Pipeline("limit", next), left(limit) {}
    void write(unsigned char const *data, size_t count) override {
        if (count > left) {
            throw std::runtime_error("stream is larger than allowed");
        }
        left -= count;
        getNext()->write(data, count);
    }
    void finish() override { getNext()->finish(); }

  private:
    size_t left;
};

// Hands over what comes, and ends when no more is wanted.
class Pl_Pieces : public Pipeline {
  public:
    Pl_Pieces(int (*take)(void *, const unsigned char *, size_t), void *context)
        : Pipeline("pieces", nullptr), take(take), context(context) {}
    void write(unsigned char const *data, size_t count) override {
        if (!take(context, data, count)) {
            throw std::runtime_error("no more is wanted");
        }
    }
    void finish() override {}

  private:
    int (*take)(void *, const unsigned char *, size_t);
    void *context;
};

constexpr quire_bytes nothing = {nullptr, 0};

bool is_field_or_widget(QPDFObjectHandle object) {
    return object.isDictionary() &&
           (object.hasKey("/FT") || object.hasKey("/T") || object.hasKey("/Kids") || object.hasKey("/Subtype"));
}

int isolate_array(QPDF &pdf, QPDFObjectHandle array, std::set<QPDFObjGen> &seen, int depth) {
    if (!array.isArray() || depth > 60) {
        return 0;
    }
    int moved = 0;
    for (int index = 0; index < array.getArrayNItems(); ++index) {
        QPDFObjectHandle item = array.getArrayItem(index);
        if (!is_field_or_widget(item)) {
            continue;
        }
        if (!item.isIndirect()) {
            item = pdf.makeIndirectObject(item);
            array.setArrayItem(index, item);
            ++moved;
        } else if (!seen.insert(item.getObjGen()).second) {
            continue;
        }
        if (item.hasKey("/Kids")) {
            moved += isolate_array(pdf, item.getKey("/Kids"), seen, depth + 1);
        }
    }
    return moved;
}

// A place of a field belongs to one page (ISO 32000-2 §12.5.2). Where a second page lists it too, that page gets one of
// its own, a further place of the same field; who draws values onto pages would leave it out there. A signed file stays
// as it is.
int part_widgets(quire_qpdf *file) {
    QPDF &pdf = *file->pdf;
    QPDFObjectHandle form = pdf.getRoot().getKey("/AcroForm");
    if (!form.isDictionary()) {
        return 0;
    }
    QPDFObjectHandle flags = form.getKey("/SigFlags");
    if (flags.isInteger() && flags.getIntValue() != 0) {
        return 0;
    }
    std::map<QPDFObjGen, size_t> page_of;
    int parted = 0;
    size_t number = 0;
    for (auto page : pages_of(file)) {
        ++number;
        QPDFObjectHandle list = page.getKey("/Annots");
        int count = list.isArray() ? list.getArrayNItems() : 0;
        std::vector<QPDFObjectHandle> own;
        bool is_changed = false;
        for (int index = 0; index < count; ++index) {
            QPDFObjectHandle item = list.getArrayItem(index);
            if (item.isIndirect() && item.isDictionary() && item.getKey("/Subtype").isNameAndEquals("/Widget") &&
                page_of.emplace(item.getObjGen(), number).first->second != number) {
                QPDFObjectHandle parent = item.getKey("/Parent");
                QPDFObjectHandle twins = parent.isDictionary() ? parent.getKey("/Kids") : form.getKey("/Fields");
                item = pdf.makeIndirectObject(item.shallowCopy());
                item.replaceKey("/P", page);
                if (twins.isArray()) {
                    twins.appendItem(item);
                }
                is_changed = true;
                ++parted;
            }
            own.push_back(item);
        }
        if (is_changed) {
            page.replaceKey("/Annots", QPDFObjectHandle::newArray(own));
        }
    }
    return parted;
}

} // namespace

// A predictor keeps two rows in memory, and a few bytes can ask for rows of four gigabytes. No scanner or screen has
// rows of a million dots.
static constexpr size_t longest_row = 1000000;

// The number behind a name, or what is more than the longest row.
static size_t row_behind(const unsigned char *at, const unsigned char *end) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || *at == '+')) {
        ++at;
    }
    size_t columns = 0;
    while (at != end && *at >= '0' && *at <= '9' && columns <= longest_row) {
        columns = columns * 10 + (*at++ - '0');
    }
    return columns;
}

namespace {

// Unpacks through as many layers as a stream has, keeps nothing of it, and counts what comes out of each.
class Unpacking {
  public:
    Unpacking(size_t layer_count, size_t &left) : layers(layer_count), left(left) {
        for (auto &layer : layers) {
            layer.is_ready = inflateInit(&layer.stream) == Z_OK;
        }
    }
    ~Unpacking() {
        for (auto &layer : layers) {
            if (layer.is_ready) {
                inflateEnd(&layer.stream);
            }
        }
    }
    Unpacking(const Unpacking &) = delete;
    Unpacking &operator=(const Unpacking &) = delete;

    // False when the stream is at its end, is none, or more came of it than is left.
    bool take(const unsigned char *bytes, size_t count, size_t number = 0) {
        if (number == layers.size()) {
            return true;
        }
        Layer &layer = layers[number];
        if (!layer.is_ready) {
            return false;
        }
        while (count > 0) {
            uInt piece = static_cast<uInt>(std::min<size_t>(count, 1 << 20));
            layer.stream.next_in = const_cast<Bytef *>(bytes);
            layer.stream.avail_in = piece;
            do {
                layer.stream.next_out = layer.room;
                layer.stream.avail_out = sizeof layer.room;
                int result = inflate(&layer.stream, Z_NO_FLUSH);
                size_t made = sizeof layer.room - layer.stream.avail_out;
                if (made > left) {
                    left = 0;
                    return false;
                }
                left -= made;
                if (made > 0 && !take(layer.room, made, number + 1)) {
                    return false;
                }
                if (result != Z_OK) {
                    return result == Z_BUF_ERROR && layer.stream.avail_in == 0;
                }
            } while (layer.stream.avail_out == 0);
            bytes += piece;
            count -= piece;
        }
        return true;
    }

  private:
    struct Layer {
        z_stream stream = {};
        bool is_ready = false;
        unsigned char room[1 << 16];
    };
    std::vector<Layer> layers;
    size_t &left;
};

} // namespace

// What all packed objects and tables of a file may come to, unpacked. They are read into memory as a whole, and some
// thousand bytes can say that they are gigabytes.
static constexpr size_t most_packed_objects = size_t(512) << 20;

// How many bytes are left of those that all may come to, once the stream that has this name in its dictionary is unpacked.
// One that hides what it is, behind a lock or by an odd spelling of its name, is not seen here.
static size_t left_behind(
    const unsigned char *name, const unsigned char *bytes, const unsigned char *end, const unsigned char *&tried, size_t left) {
    size_t reach = std::min<size_t>(static_cast<size_t>(end - name), 4096);
    auto *start = static_cast<const unsigned char *>(memmem(name, reach, "stream", 6));
    if (start == nullptr || start == tried) {
        return left;
    }
    tried = start;
    // Its dictionary, from the word in front of it on.
    const unsigned char *head = name;
    while (head > bytes && name - head < 4096 && (head < bytes + 3 || memcmp(head - 3, "obj", 3) != 0)) {
        --head;
    }
    size_t layers = 0;
    const unsigned char *filter = head;
    while ((filter = static_cast<const unsigned char *>(memmem(filter, static_cast<size_t>(start - filter), "/Fl", 3)))) {
        ++layers;
        filter += 3;
    }
    if (layers == 0) {
        return left;
    }
    if (layers > 4) {
        return 0;
    }
    start += 6;
    while (start != end && (*start == '\r' || *start == '\n')) {
        ++start;
    }
    Unpacking(layers, left).take(start, static_cast<size_t>(end - start));
    return left;
}

// What a file would do to the memory of whoever reads it, before anybody does; null where it is nothing. Each name is looked
// at once: a large file is nearly all pictures, and their bytes hold the sign in front of a name seldom.
static const char *bomb_in(const unsigned char *bytes, size_t count) {
    const unsigned char *end = bytes + count, *at = bytes, *tried = nullptr;
    size_t left = most_packed_objects;
    while ((at = static_cast<const unsigned char *>(memchr(at, '/', static_cast<size_t>(end - at)))) != nullptr) {
        const unsigned char *name = at++;
        auto is = [&](const char *word, size_t length) {
            return static_cast<size_t>(end - name) >= length && memcmp(name, word, length) == 0;
        };
        if (at == end) {
            break;
        }
        if (*at == 'C' && is("/Columns", 8) && row_behind(name + 8, end) > longest_row) {
            return "it asks for rows longer than any picture has";
        }
        if ((*at == 'O' && is("/ObjStm", 7)) || (*at == 'X' && is("/XRef", 5))) {
            left = left_behind(name, bytes, end, tried, left);
            if (left == 0) {
                return "its packed objects would unpack to more than half a gigabyte";
            }
        }
    }
    return nullptr;
}

quire_qpdf *quire_qpdf_open(const unsigned char *bytes, size_t count, const char *password) {
    auto *file = new quire_qpdf;
    guarded(file, 0, [&] {
        if (const char *bomb = bomb_in(bytes, count)) {
            throw std::runtime_error(bomb);
        }
        file->pdf = QPDF::create();
        file->pdf->setSuppressWarnings(true);
        file->pdf->processMemoryFile(
            "form", reinterpret_cast<const char *>(bytes), count, password ? password : "");
        file->is_as_read = true;
        // The writer says how many objects there are only where that was said before, and a file without it opens nowhere.
        QPDFObjectHandle trailer = file->pdf->getTrailer();
        if (!trailer.getKey("/Size").isInteger()) {
            int highest = 0;
            for (auto &entry : file->pdf->getXRefTable()) {
                highest = std::max(highest, entry.first.getObj());
            }
            trailer.replaceKey("/Size", QPDFObjectHandle::newInteger(highest + 1));
        }
        return 0;
    });
    return file;
}

void quire_qpdf_close(quire_qpdf *file) { delete file; }

int quire_qpdf_status(quire_qpdf *file) { return file->status; }

const char *quire_qpdf_message(quire_qpdf *file) { return file->message.c_str(); }

void look_through_table(quire_qpdf *file) {
    if (file->has_checked_table) {
        return;
    }
    file->has_checked_table = true;
    for (auto &entry : file->pdf->getXRefTable()) {
        int number = entry.first.getObj();
        if (number < 0) {
            // A spoiled table may begin anywhere; no reference leads below 0.
            continue;
        }
        file->highest = std::max(file->highest, number);
        // Numbers come in order.
        file->listed.resize(static_cast<size_t>(number) + 1);
        file->listed[static_cast<size_t>(number)] = true;
        if (entry.second.getType() == 1 && entry.second.getOffset() == 0) {
            file->remarks += "object " + entry.first.unparse(',') + " is listed but not there\n";
        }
    }
}

// Nobody reads more, and a spoiled file has one for each of its objects.
constexpr size_t most_remarks = 2000;

quire_bytes quire_qpdf_remarks(quire_qpdf *file) {
    return guarded(file, nothing, [&] {
        look_through_table(file);
        for (auto &warning : file->pdf->getWarnings()) {
            if (file->remark_count++ < most_remarks) {
                file->remarks += quoted(warning.getMessageDetail()) + "\n";
            }
        }
        return quire_bytes{
            reinterpret_cast<const unsigned char *>(file->remarks.data()), file->remarks.size()};
    });
}

int quire_qpdf_encryption(quire_qpdf *file, int *permissions, int *opened_as_owner) {
    return guarded(file, 0, [&] {
        int revision = 0, bits = 0;
        if (!file->pdf->isEncrypted(revision, bits)) {
            return 0;
        }
        *permissions = bits;
        *opened_as_owner = file->pdf->ownerPasswordMatched() ? 1 : 0;
        return revision;
    });
}

int64_t quire_qpdf_highest_object(quire_qpdf *file) {
    return guarded(file, int64_t(0), [&] {
        // Counting makes qpdf read every object there is; while nothing was added, the table tells it as well. What
        // qpdf adds by itself, mending the tree of pages, it warns of.
        look_through_table(file);
        int64_t highest = file->highest;
        if (!file->is_as_read || file->pdf->anyWarnings()) {
            highest = static_cast<int64_t>(file->pdf->getObjectCount());
        }
        QPDFObjectHandle size = file->pdf->getTrailer().getKey("/Size");
        if (size.isInteger() && size.getIntValue() - 1 > highest && size.getIntValue() < 8388607) {
            highest = size.getIntValue() - 1;
        }
        return highest;
    });
}

static quire_bytes spell(quire_qpdf *file, QPDFObjectHandle object) {
    look_through_table(file);
    std::string text;
    text.reserve(512);
    Spelling(file, text).value(object);
    return file->give(std::move(text));
}

quire_bytes quire_qpdf_trailer(quire_qpdf *file) {
    return guarded(file, nothing, [&] { return spell(file, file->pdf->getTrailer()); });
}

quire_bytes quire_qpdf_object(quire_qpdf *file, int number, int generation, int *is_stream) {
    return guarded(file, nothing, [&] {
        QPDFObjectHandle object = file->pdf->getObject(number, generation);
        *is_stream = object.isStream() ? 1 : 0;
        return spell(file, object);
    });
}

quire_bytes
quire_qpdf_stream(quire_qpdf *file, int number, int generation, int decoded, size_t limit, int *ok) {
    *ok = 0;
    return guarded(file, nothing, [&] {
        QPDFObjectHandle object = file->pdf->getObject(number, generation);
        if (!object.isStream()) {
            return nothing;
        }
        Pl_Buffer collected("collected");
        Pl_Limit limited(&collected, limit);
        bool filtered = false;
        if (!object.pipeStreamData(
                &limited, &filtered, 0, decoded ? qpdf_dl_generalized : qpdf_dl_none, true, false)) {
            return nothing;
        }
        *ok = !decoded || filtered ? 1 : 0;
        return file->give(collected.getBufferSharedPointer());
    });
}

int quire_qpdf_stream_pieces(
    quire_qpdf *file, int number, int generation, int (*take)(void *, const unsigned char *, size_t), void *context) {
    return guarded(file, 0, [&] {
        QPDFObjectHandle object = file->pdf->getObject(number, generation);
        if (!object.isStream()) {
            return 0;
        }
        Pl_Pieces pieces(take, context);
        bool filtered = false;
        bool succeeded = object.pipeStreamData(&pieces, &filtered, 0, qpdf_dl_generalized, true, false);
        return succeeded && filtered ? 1 : 0;
    });
}

int quire_qpdf_pages(quire_qpdf *file, int *numbers, int *generations, int capacity) {
    return guarded(file, 0, [&] {
        auto &pages = pages_of(file);
        int index = 0;
        for (auto page : pages) {
            if (index < capacity) {
                numbers[index] = page.getObjectID();
                generations[index] = page.getGeneration();
            }
            ++index;
        }
        return index;
    });
}

int quire_qpdf_isolate_fields(quire_qpdf *file) {
    return guarded(file, 0, [&] {
        int moved = 0;
        std::set<QPDFObjGen> seen;
        QPDFObjectHandle form = file->pdf->getRoot().getKey("/AcroForm");
        if (form.isDictionary()) {
            moved += isolate_array(*file->pdf, form.getKey("/Fields"), seen, 0);
        }
        for (auto page : pages_of(file)) {
            moved += isolate_array(*file->pdf, page.getKey("/Annots"), seen, 0);
        }
        moved += part_widgets(file);
        file->is_as_read = file->is_as_read && moved == 0;
        return moved;
    });
}

int quire_qpdf_replace(quire_qpdf *file, int number, int generation, const char *text, size_t count) {
    return guarded(file, 0, [&] {
        file->is_as_read = false;
        file->pdf->replaceObject(
            number, generation, QPDFObjectHandle::parse(file->pdf.get(), std::string(text, count)));
        return 1;
    });
}

// Check boxes bring the same few pictures again and again, each box its own. Nobody ever draws into the pictures of
// states, so that boxes which look alike can have one in common.
static void share_pictures(quire_qpdf *file) {
    std::map<std::string, QPDFObjectHandle> known;
    for (auto page : pages_of(file)) {
        QPDFObjectHandle list = page.getKey("/Annots");
        int count = list.isArray() ? list.getArrayNItems() : 0;
        for (int index = 0; index < count; ++index) {
            QPDFObjectHandle widget = list.getArrayItem(index);
            if (!widget.isDictionary() || !widget.getKey("/Subtype").isNameAndEquals("/Widget")) {
                continue;
            }
            QPDFObjectHandle kinds = widget.getKey("/AP");
            if (!kinds.isDictionary()) {
                continue;
            }
            for (auto &kind : kinds.getKeys()) {
                QPDFObjectHandle states = kinds.getKey(kind);
                if (!states.isDictionary()) {
                    continue;
                }
                for (auto &state : states.getKeys()) {
                    QPDFObjectHandle picture = states.getKey(state);
                    if (!picture.isStream()) {
                        continue;
                    }
                    auto data = picture.getRawStreamData();
                    if (data->getSize() > 10000) {
                        continue;
                    }
                    std::string text = picture.getDict().unparseResolved();
                    text.append(reinterpret_cast<const char *>(data->getBuffer()), data->getSize());
                    auto found = known.emplace(std::move(text), picture);
                    if (!found.second && found.first->second.getObjGen() != picture.getObjGen()) {
                        states.replaceKey(state, found.first->second);
                    }
                }
            }
        }
    }
}

// Metadata come with room for programs that change them in place; a file that is written anew needs none.
static void trim_metadata(QPDF &pdf) {
    QPDFObjectHandle metadata = pdf.getRoot().getKey("/Metadata");
    if (!metadata.isStream() || metadata.getDict().hasKey("/Filter")) {
        return;
    }
    auto data = metadata.getRawStreamData();
    std::string text(reinterpret_cast<const char *>(data->getBuffer()), data->getSize());
    size_t end = text.rfind("<?xpacket end");
    if (end == std::string::npos || end == 0) {
        return;
    }
    size_t start = text.find_last_not_of(" \t\r\n", end - 1);
    if (start == std::string::npos || end - start < 100) {
        return;
    }
    text.replace(start + 1, end - start - 1, "\n");
    metadata.replaceStreamData(text, QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull());
}

int quire_qpdf_slim(quire_qpdf *file) {
    return guarded(file, 0, [&] {
        file->is_as_read = false;
        share_pictures(file);
        trim_metadata(*file->pdf);
        return 1;
    });
}

quire_bytes quire_qpdf_write(quire_qpdf *file, const quire_qpdf_writing *how) {
    return guarded(file, nothing, [&] {
        // The writer walks the tree of pages, by a function that calls itself.
        settle_pages(file);
        QPDFWriter writer(*file->pdf);
        writer.setOutputMemory();
        writer.setObjectStreamMode(how->object_streams ? qpdf_o_generate : qpdf_o_preserve);
        writer.setLinearization(how->linearized != 0);
        writer.setPreserveEncryption(how->keep_encryption != 0);
        if (how->user_password != nullptr) {
            bool changes = how->read_only == 0;
            writer.setR6EncryptionParameters(
                how->user_password, how->owner_password ? how->owner_password : "", true, true, changes, changes,
                changes, changes, qpdf_r3p_full, true);
        } else if (how->deterministic != 0) {
            writer.setDeterministicID(true);
        }
        writer.write();
        return file->give(writer.getBufferSharedPointer());
    });
}

unsigned char *quire_deflate(const unsigned char *bytes, size_t count, size_t *result_count) {
    try {
        Pl_Buffer collected("collected");
        Pl_Flate flate("flate", &collected, Pl_Flate::a_deflate);
        flate.write(bytes, count);
        flate.finish();
        unsigned char *memory = nullptr;
        collected.getMallocBuffer(&memory, result_count);
        return memory;
    } catch (...) {
        return nullptr;
    }
}

void quire_free(void *memory) { free(memory); }

struct quire_packer {
    z_stream stream;
};

quire_packer *quire_packer_new(int level) {
    auto *packer = static_cast<quire_packer *>(calloc(1, sizeof(quire_packer)));
    if (packer != nullptr && deflateInit(&packer->stream, level) != Z_OK) {
        free(packer);
        return nullptr;
    }
    return packer;
}

void quire_packer_free(quire_packer *packer) {
    if (packer != nullptr) {
        deflateEnd(&packer->stream);
        free(packer);
    }
}

size_t quire_pack(
    quire_packer *packer, const unsigned char *bytes, size_t count, unsigned char *room, size_t room_count) {
    if (count > UINT_MAX || room_count > UINT_MAX || deflateReset(&packer->stream) != Z_OK) {
        return 0;
    }
    packer->stream.next_in = const_cast<unsigned char *>(bytes);
    packer->stream.avail_in = static_cast<unsigned>(count);
    packer->stream.next_out = room;
    packer->stream.avail_out = static_cast<unsigned>(room_count);
    return deflate(&packer->stream, Z_FINISH) == Z_STREAM_END ? room_count - packer->stream.avail_out : 0;
}
