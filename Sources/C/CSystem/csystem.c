#define _GNU_SOURCE
#include "csystem.h"
#include "shortage.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

pid_t csystem_thread_id(void) { return (pid_t)syscall(SYS_gettid); }

int csystem_thread_start(uint64_t *thread, size_t stack_byte_count, const char *name,
                         int patience, void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0) return code;
    code = pthread_attr_setstacksize(&attributes, stack_byte_count);
    pthread_t made;
    // What was put aside is not for threads that others can do without.
    const bool is_needed = patience > 1;
    if (!is_needed && csystem_memory_was_given_up()) code = EAGAIN;
    // Where memory or processes are short for a moment, a moment later they are not.
    const struct timespec pause = {.tv_nsec = 10000000};
    for (int tries = 0; code == 0 && (code = pthread_create(&made, &attributes, body, argument)) == EAGAIN && tries < patience;
         tries++) {
        if (!is_needed || !csystem_give_up_memory_reserve()) nanosleep(&pause, NULL);
        code = 0;
    }
    pthread_attr_destroy(&attributes);
    if (code != 0) return code;
    char shortened[16];
    snprintf(shortened, sizeof shortened, "%s", name);
    pthread_setname_np(made, shortened);
    *thread = (uint64_t)made;
    return 0;
}

void csystem_thread_join(uint64_t thread) { pthread_join((pthread_t)thread, NULL); }
void csystem_thread_detach(uint64_t thread) { pthread_detach((pthread_t)thread); }
// On Linux every thread has a niceness of its own. Where it cannot be set, nothing but speed is lost.
void csystem_thread_let_others_go_first(void) {
    id_t thread = (id_t)csystem_thread_id();
    if (getpriority(PRIO_PROCESS, thread) < 5) setpriority(PRIO_PROCESS, thread, 5);
}

// A kernel or a file system that cannot do so has lost nothing.
void csystem_begin_saving(int descriptor) { sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE); }

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
const char *csystem_build_commit(void) {
#ifdef QUIRE_COMMIT
    return TEXT(QUIRE_COMMIT);
#else
    return NULL;
#endif
}
