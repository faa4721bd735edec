#define _GNU_SOURCE
#include "csystem.h"
#include <sys/syscall.h>
#include <unistd.h>

pid_t csystem_thread_id(void) { return (pid_t)syscall(SYS_gettid); }
