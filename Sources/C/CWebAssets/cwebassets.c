#include "cwebassets.h"

// Each file is named once here; `#embed` (C23) puts its bytes into the program without a build step.
static const unsigned char robots_txt[] = {
#embed "files/robots.txt"
};

static const struct cwebassets_file table[] = {
    {"robots.txt", robots_txt, sizeof robots_txt},
};

const struct cwebassets_file *const cwebassets_files = table;
const size_t cwebassets_count = sizeof table / sizeof *table;
