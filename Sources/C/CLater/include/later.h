#pragma once

// A library that most commands never need is opened by the first call into it. Linked the usual way, all of them and
// what they are linked with themselves (Kerberos, LDAP, TLS twice over) would be opened and bound before `main` in every
// process, which takes longer than filling a form and holds several megabytes.
//
// The functions stand here under their own names and with the types of the library's own header, which the compiler
// compares: whoever calls them need not know.

// The function of this name in a library; ends the process when the library is missing, as the system would have.
void *later_find(const char *library, const char *name);

#define LATER_CALL(library, name) LATER_CALL_(library, name, #name)
#define LATER_CALL_(library, name, text) \
    (__extension__({ \
        static __typeof__(&name) known; \
        __typeof__(&name) found = __atomic_load_n(&known, __ATOMIC_ACQUIRE); \
        if (!found) { \
            found = (__typeof__(&name))later_find(library, text); \
            __atomic_store_n(&known, found, __ATOMIC_RELEASE); \
        } \
        found; \
    }))

// LATER(library, result, name, (type a, …), (a, …))
#define LATER(library, result, name, parameters, arguments) \
    result name parameters { return LATER_CALL(library, name) arguments; }
