#include "later.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

void *later_find(const char *library, const char *name) {
    void *opened = dlopen(library, RTLD_LAZY);
    void *found = opened ? dlsym(opened, name) : NULL;
    if (found) return found;
    // What the system says and does when a program it starts lacks a library.
    fprintf(stderr, "quire: error while loading shared libraries: %s\n", dlerror());
    _exit(127);
}
