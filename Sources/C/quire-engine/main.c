#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "office") == 0) return engine_office(arguments[2], arguments[3]);
    if (count == 6 && strcmp(arguments[1], "pictures") == 0)
        return engine_pictures(arguments[2], arguments[3], arguments[4], atoll(arguments[5]));
    fputs("quire-engine is started by quire, in its jail.\n", stderr);
    return 64;
}
