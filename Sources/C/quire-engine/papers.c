// Works through PDF files of strangers as it will be done for good afterwards: a file that brings the reader of structures
// down, or would keep it for minutes, does so here and nowhere else.
#include "cqpdf.h"
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static unsigned char *contents(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    unsigned char *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    *count = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
    fclose(file);
    if (bytes && *count != (size_t)length) {
        free(bytes);
        return NULL;
    }
    if (bytes) bytes[length] = 0;
    return bytes;
}

// The kernel ends the program when one file has had its time; those before it do not count.
static void allow(double seconds) {
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return;
    rlim_t end = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + (rlim_t)seconds;
    if (limit.rlim_max == RLIM_INFINITY || end < limit.rlim_max) {
        limit.rlim_cur = end;
        setrlimit(RLIMIT_CPU, &limit);
    }
}

static void tell(quire_qpdf *file) {
    quire_bytes said = quire_qpdf_remarks(file);
    const char *at = (const char *)said.start, *end = at + said.count;
    while (at && at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        if (!line) line = end;
        printf("remark\t%.*s\n", (int)(line - at), at);
        at = line + 1;
    }
}

// Whoever has no memory left is not told to be damaged: here it can be had where there is none to spare.
static void tell_memory(quire_qpdf *file) {
    const char *said = quire_qpdf_message(file);
    if (said && (strstr(said, "bad_alloc") || strstr(said, "no room to follow"))) puts("memory");
}

static int put_together(quire_qpdf *file, int *pages, int count) {
    quire_qpdf_part part = {file, pages, (size_t)count, "paper"};
    quire_qpdf *made = quire_qpdf_assemble(&part, 1);
    quire_qpdf_writing how = {1, 0, 0, NULL, NULL, 0, 1};
    int is_whole = quire_qpdf_status(made) == QUIRE_QPDF_OK && quire_qpdf_write(made, &how).start != NULL;
    if (!is_whole) tell_memory(made);
    quire_qpdf_close(made);
    return is_whole;
}

static void work(const char *path, const char *password, int looks, double seconds) {
    size_t count = 0;
    unsigned char *bytes = contents(path, &count);
    if (!bytes) {
        puts("refused");
        return;
    }
    // A book of hundreds of megabytes is no attack.
    allow(seconds + (double)count / (2 << 20));
    quire_qpdf *file = quire_qpdf_open(bytes, count, password);
    if (quire_qpdf_status(file) != QUIRE_QPDF_OK) {
        tell_memory(file);
        puts("refused");
    } else {
        int found = quire_qpdf_pages(file, NULL, NULL, 0);
        if (looks) {
            if (!quire_qpdf_check(file, seconds)) printf("remark\t%s\n", quire_qpdf_message(file));
            tell_memory(file);
        } else if (found > 0) {
            int *pages = calloc((size_t)found, sizeof *pages);
            for (int page = 0; pages && page < found; page++) pages[page] = page;
            if (!pages || !put_together(file, pages, found)) puts("unmade");
            free(pages);
        }
        tell(file);
        printf("pages\t%d\n", found < 0 ? 0 : found);
    }
    quire_qpdf_close(file);
    free(bytes);
}

int engine_papers(const char *how, double seconds, const char *password, char **paths, int count) {
    for (int place = 0; place < count; place++) {
        printf("begin\t%d\n", place);
        fflush(stdout);
        work(paths[place], *password ? password : NULL, strcmp(how, "look") == 0, seconds);
        printf("end\t%d\n", place);
        fflush(stdout);
    }
    return 0;
}
