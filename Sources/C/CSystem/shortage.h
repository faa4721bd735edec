#pragma once
#include <stdbool.h>

/// Whether memory was put aside, and is not any more.
bool csystem_memory_was_given_up(void);
