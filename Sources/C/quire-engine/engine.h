#pragma once
// What the small program beside `quire` can do. It runs in the jail, holds libraries that read what strangers wrote,
// and is there to be killed.
#include <stddef.h>

/// Talks over standard input and output until the input ends.
int engine_office(const char *programs, const char *profile);

/// Draws every picture in a file: TIFF (all its pages), WebP, GIF, BMP, HEIC. Writes `OUT-1.png` or `.jpg`, … and says
/// for each its width, height and dots per inch.
int engine_pictures(const char *input, const char *output, const char *format, long long most_pixels);
