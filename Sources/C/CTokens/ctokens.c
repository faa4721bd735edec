#include "ctokens.h"
#include <dlfcn.h>

static int open_one(const char *module, CK_FUNCTION_LIST **found) {
    void *library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    CK_C_GetFunctionList list = (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList");
    if (!list || list(found) != CKR_OK || !*found) return -1;
    CK_C_INITIALIZE_ARGS wish = {.flags = CKF_OS_LOCKING_OK};
    CK_RV result = (*found)->C_Initialize(&wish);
    return result == CKR_OK || result == CKR_CRYPTOKI_ALREADY_INITIALIZED ? 1 : -1;
}

// What knows of all modules is opened when it is asked for: hardly any process does.
static int open_known(CK_FUNCTION_LIST **found, int most) {
    void *library = dlopen("libp11-kit.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    typedef CK_FUNCTION_LIST **(*loader)(int flags);
    loader load = (loader)dlsym(library, "p11_kit_modules_load_and_initialize");
    CK_FUNCTION_LIST **all = load ? load(0) : 0;
    if (!all) return -1;
    int count = 0;
    while (all[count] && count < most) {
        found[count] = all[count];
        count++;
    }
    return count;
}

int tokens_open(const char *module, CK_FUNCTION_LIST **found, int most) {
    return module ? open_one(module, found) : open_known(found, most);
}
