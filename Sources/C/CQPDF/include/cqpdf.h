// qpdf as plain C. Its own C API ends before encryption keys, limits and form repairs, and a C++ exception that
// reached Swift would end the process: every function here catches, and says what happened.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct quire_qpdf quire_qpdf;

// Bytes that belong to the opened file and live until its next call.
typedef struct {
    const unsigned char *start;
    size_t count;
} quire_bytes;

enum { QUIRE_QPDF_OK = 0, QUIRE_QPDF_PASSWORD = 1, QUIRE_QPDF_DAMAGED = 2, QUIRE_QPDF_UNSUPPORTED = 3 };

// The bytes stay the caller's and must outlive the file. Never null; `quire_qpdf_status` says how it went.
quire_qpdf *quire_qpdf_open(const unsigned char *bytes, size_t count, const char *password);
void quire_qpdf_close(quire_qpdf *file);
int quire_qpdf_status(quire_qpdf *file);
const char *quire_qpdf_message(quire_qpdf *file);

// What qpdf had to repair, one remark a line.
quire_bytes quire_qpdf_remarks(quire_qpdf *file);

// 0 when not encrypted; else the revision of the security handler.
int quire_qpdf_encryption(quire_qpdf *file, int *permissions, int *opened_as_owner);

int64_t quire_qpdf_highest_object(quire_qpdf *file);
quire_bytes quire_qpdf_trailer(quire_qpdf *file);

// The object as text, references not followed; of a stream its dictionary. Null start when there is none.
quire_bytes quire_qpdf_object(quire_qpdf *file, int number, int generation, int *is_stream);

// A stream's bytes, decoded or as stored; stops with failure beyond `limit`.
quire_bytes quire_qpdf_stream(quire_qpdf *file, int number, int generation, int decoded, size_t limit, int *ok);

// The same, decoded, in pieces; ends with failure when `take` says 0 or not all of it can be decoded.
int quire_qpdf_stream_pieces(
    quire_qpdf *file, int number, int generation, int (*take)(void *, const unsigned char *, size_t), void *context);

// Object numbers of the pages in order; returns how many there are, at most `capacity` are stored.
int quire_qpdf_pages(quire_qpdf *file, int *numbers, int *generations, int capacity);

// Gives every annotation and form field its own object, so that a revision can replace it, and every page its own
// places of fields. Returns how many were moved: afterwards the file must be written anew before it can be appended to.
int quire_qpdf_isolate_fields(quire_qpdf *file);

// Replaces an object (not a stream) by what the text says. 0 when the text is no object.
int quire_qpdf_replace(quire_qpdf *file, int number, int generation, const char *text, size_t count);

// Leaves out what only makes a file longer: pictures of boxes that it has many times, room in its metadata.
int quire_qpdf_slim(quire_qpdf *file);

typedef struct {
    int object_streams;           // 1: pack objects into compressed streams
    int linearized;
    int keep_encryption;
    const char *user_password;    // AES-256 with both passwords when not null
    const char *owner_password;
    int read_only;                // with a password: no changes, no filling
    int deterministic;            // same input, same bytes
} quire_qpdf_writing;
quire_bytes quire_qpdf_write(quire_qpdf *file, const quire_qpdf_writing *how);

// The same for an intact file, smaller and sooner: packed, what nothing leads to gone, and every object under the number
// it has, so that what was read of the file holds for what is written. Nothing when the file must be written the other
// way: it is encrypted, was repaired, or has odd objects.
quire_bytes quire_qpdf_compact(quire_qpdf *file);

// Pages of an opened file, counted from 0, none of them twice; `title` is a bookmark for them, or null.
typedef struct {
    quire_qpdf *file;
    const int *pages;
    size_t count;
    const char *title;
} quire_qpdf_part;

// A new file of these pages, with the fields, bookmarks, links, layers, labels and attachments that belong to
// them; nothing else of the files comes along. A file may stand in one part only. `quire_qpdf_remarks` says what
// was changed, a remark a line: "renamed\told\tnew", "signature", "xfa", "tags".
quire_qpdf *quire_qpdf_assemble(const quire_qpdf_part *parts, size_t count);

// Turns a page clockwise, further or to an angle; puts all pages into another order. 0 when it could not be done.
int quire_qpdf_rotate(quire_qpdf *file, int page, int angle, int relative);
int quire_qpdf_reorder(quire_qpdf *file, const int *pages, size_t count);

// Draws a page of another file over one of this file, or under it, in the middle and no larger than it. 0 when it
// could not be done.
int quire_qpdf_overlay(quire_qpdf *file, int page, quire_qpdf *stamp, int stamp_page, int under);

// Keeps what is seen of a page of another file in the catalog under a key, for who draws it. 0 when it could not be done.
int quire_qpdf_adopt(quire_qpdf *file, quire_qpdf *stamp, int stamp_page, const char *key);

// Draws what is seen of a page of another file in the middle of a box (left, bottom, right, top), upright and as large as
// fits there, behind what was drawn before. 0 when it could not be done.
int quire_qpdf_place(quire_qpdf *file, int page, quire_qpdf *stamp, int stamp_page, const double *box);

// Makes what notes and fields look like part of their pages. 0 when it could not be done.
int quire_qpdf_flatten(quire_qpdf *file);

// Reads everything there is and decodes it, for at most so many seconds of the processor. 0 when something could not be
// read; smaller flaws are remarks.
int quire_qpdf_check(quire_qpdf *file, double seconds);

// zlib, as PDF's FlateDecode wants it. Free the result with quire_free.
unsigned char *quire_deflate(const unsigned char *bytes, size_t count, size_t *result_count);
void quire_free(void *memory);

// The same for many small pieces one after another, with one set of tables. Not for two threads at a time.
typedef struct quire_packer quire_packer;
quire_packer *quire_packer_new(int level);
void quire_packer_free(quire_packer *packer);
// Packs into `room`; 0 when the result does not fit there.
size_t quire_pack(
    quire_packer *packer, const unsigned char *bytes, size_t count, unsigned char *room, size_t room_count);

#ifdef __cplusplus
}
#endif
