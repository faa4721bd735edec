#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "office") == 0) return engine_office(arguments[2], arguments[3]);
    if (count == 6 && strcmp(arguments[1], "pictures") == 0)
        return engine_pictures(arguments[2], arguments[3], arguments[4], atoll(arguments[5]));
    // The password of locked ones stands on the first line of the input: others may see what a program is called with.
    if (count > 4 && strcmp(arguments[1], "papers") == 0) {
        static char password[1024];
        if (!fgets(password, sizeof password, stdin)) *password = 0;
        password[strcspn(password, "\n")] = 0;
        return engine_papers(arguments[2], atof(arguments[3]), password, arguments + 4, count - 4);
    }
    fputs("quire-engine is started by quire, in its jail.\n", stderr);
    return 64;
}
