#pragma once
// What Linux and glibc offer that `import Glibc` does not show to Swift (GNU extensions, variadics, macros).
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The kernel's id of the calling thread.
pid_t csystem_thread_id(void);

/// Starts a thread with a stack of `stack_byte_count` bytes and gives it a name of at most 15 letters.
/// Returns 0, or the errno value that says why no thread could be made.
int csystem_thread_start(uint64_t *thread, size_t stack_byte_count, const char *name,
                         void *(*body)(void *), void *argument);
/// Waits for the thread's end.
void csystem_thread_join(uint64_t thread);
/// Says that nobody will wait for this thread.
void csystem_thread_detach(uint64_t thread);
