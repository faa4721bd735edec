#pragma once
#include <stdint.h>
#include <sys/types.h>

/// Landlock: from here on only these paths. Needs no_new_privs. 0, or -1 with errno.
int guard_restrict_files(const char *const *readable, const char *const *writable);
/// The system-call filter. Needs no_new_privs. 0, or -1 with errno.
int guard_restrict_calls(uint32_t flags, pid_t self);
