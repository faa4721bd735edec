#pragma once
// What Linux and glibc offer that `import Glibc` does not show to Swift (GNU extensions, variadics, macros).
#include <sys/types.h>

/// The kernel's id of the calling thread.
pid_t csystem_thread_id(void);
