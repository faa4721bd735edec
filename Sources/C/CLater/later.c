#include "later.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A library that is not there will not come. One for which memory is short at this moment is tried for a little longer:
// those who wait for something else lose nothing meanwhile.
static void *opened_with_patience(const char *library, const char **why) {
    const struct timespec pause = {.tv_nsec = 10000000};
    void *opened = dlopen(library, RTLD_LAZY);
    for (int tries = 0; opened == NULL; tries++) {
        *why = dlerror();
        if (tries == 300 || *why == NULL || strstr(*why, "No such file") != NULL) break;
        nanosleep(&pause, NULL);
        opened = dlopen(library, RTLD_LAZY);
    }
    return opened;
}

void *later_find(const char *library, const char *name) {
    const char *why = NULL;
    void *opened = opened_with_patience(library, &why);
    void *found = opened ? dlsym(opened, name) : NULL;
    if (found) return found;
    if (opened) why = dlerror();
    // What the system says and does when a program it starts lacks a library.
    fprintf(stderr, "quire: error while loading shared libraries: %s\n", why ? why : library);
    _exit(127);
}
