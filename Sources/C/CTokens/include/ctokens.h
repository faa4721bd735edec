#pragma once
// The names and numbers of PKCS #11, as its library of helpers has them.
#include <p11-kit-1/p11-kit/pkcs11.h>

// The functions of a module (a library that speaks to tokens) by its name, ready to be used; without a name those of all that
// the system knows of. Gives how many there are, and -1 when there is no such module or nothing that knows of any. They stay open
// until the process ends, as some cannot be opened twice.
int tokens_open(const char *module, CK_FUNCTION_LIST **found, int most);

// Numbers that are written as sums and shifts, which Swift does not see.
static const CK_FLAGS tokens_reading = CKF_SERIAL_SESSION;
static const CK_FLAGS tokens_own_keyboard = CKF_PROTECTED_AUTHENTICATION_PATH;
