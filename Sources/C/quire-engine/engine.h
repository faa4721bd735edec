#pragma once
// What the small program beside `quire` can do. It runs in the jail, holds libraries that read what strangers wrote,
// and is there to be killed.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Talks over standard input and output until the input ends.
int engine_office(const char *programs, const char *profile);

/// Draws every picture in a file: TIFF (all its pages), WebP, GIF, BMP, HEIC. Writes `OUT-1.png` or `.jpg`, … and says
/// for each its width, height and dots per inch; or only what the square codes in it say.
int engine_pictures(const char *input, const char *output, const char *format, long long most_pixels);

/// Works through PDF files, each for so many seconds of the processor and more for large ones: reads all of it (`look`), or
/// makes another file of its pages (`merge`). Says "begin" and "end" around what it says of each: "remark", "pages", "refused".
int engine_papers(const char *how, double seconds, const char *password, char **paths, int count);

/// Calls `found` with what each QR code says, as UTF-8, in a grey picture of a byte a pixel, row after row. Gives how many
/// there are, or -1 where it failed.
int engine_codes(const uint8_t *grey, int width, int height, void (*found)(const uint8_t *bytes, size_t count, void *context), void *context);

#ifdef __cplusplus
}
#endif
