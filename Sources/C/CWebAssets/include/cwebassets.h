#pragma once
#include <stddef.h>

/// One file of the web app, compiled into the program.
struct cwebassets_file {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t size;
};

extern const struct cwebassets_file *_Nonnull const cwebassets_files;
extern const size_t cwebassets_count;
