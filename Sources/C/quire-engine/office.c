// LibreOffice in a process of its own, through LibreOfficeKit's C interface. One line asks for a conversion, one line
// answers; fields stand between tabs. Loaded when asked for, so that Quire is built and runs without LibreOffice.
#define _GNU_SOURCE
#include "engine.h"
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The beginning of LibreOfficeKit's tables as LibreOffice 6.3 and later have them: they carry their size and only
// grow at the end. Declared here so that no header of it is needed.
typedef struct office office;
typedef struct document document;

struct office_table {
    size_t size;
    void (*destroy)(office *);
    document *(*load)(office *, const char *address);
    char *(*error)(office *);
    document *(*load_with_options)(office *, const char *address, const char *options);
    void (*free_error)(char *);
    void (*listen)(office *, void (*callback)(int, const char *, void *), void *data);
    char *(*filter_types)(office *);
    void (*set_features)(office *, unsigned long long features);
    void (*set_password)(office *, const char *address, const char *password);
    char *(*version)(office *);
    int (*run_macro)(office *, const char *address);
    bool (*sign)(office *, const char *address, const unsigned char *, int, const unsigned char *, int);
    void (*run_loop)(office *, int (*attend)(void *, int microseconds), void (*wake)(void *), void *data);
};
struct office { struct office_table *table; };

struct document_table {
    size_t size;
    void (*destroy)(document *);
    int (*save_as)(document *, const char *address, const char *format, const char *options);
};
struct document { struct document_table *table; };

enum { PASSWORD_WANTED = 20, PASSWORD_TO_CHANGE_WANTED = 21 };
enum { FEATURE_PASSWORD = 1, FEATURE_PASSWORD_TO_CHANGE = 2 };

static office *kit;
// Where the answers go.
static FILE *out;
static const char *password;
static int times_asked;

// The first question is answered with what we were given; a second one means that it was wrong.
static void on_question(int kind, const char *address, void *unused) {
    (void)unused;
    if (kind != PASSWORD_WANTED && kind != PASSWORD_TO_CHANGE_WANTED) return;
    times_asked++;
    const char *answer = times_asked == 1 && kind == PASSWORD_WANTED ? password : NULL;
    kit->table->set_password(kit, address, answer);
}

static office *start(const char *programs, const char *profile) {
    char path[4096];
    snprintf(path, sizeof path, "%s/libsofficeapp.so", programs);
    if (access(path, R_OK) != 0) snprintf(path, sizeof path, "%s/libmergedlo.so", programs);
    void *library = dlopen(path, RTLD_LAZY);
    if (!library) return NULL;
    // ISO C has no cast from a data pointer to a function; POSIX's dlsym needs one.
    union { void *address; office *(*call)(const char *, const char *); } hook;
    hook.address = dlsym(library, "libreofficekit_hook_2");
    return hook.address ? hook.call(programs, profile) : NULL;
}

// `%` and what stands outside printing ASCII come as %XX, in place.
static void decode(char *text) {
    char *to = text;
    for (; *text; text++) {
        unsigned value;
        if (*text == '%' && text[1] && text[2] && sscanf(text + 1, "%2x", &value) == 1) {
            *to++ = (char)value;
            text += 2;
        } else {
            *to++ = *text;
        }
    }
    *to = 0;
}

static void say(const char *outcome, const char *words) {
    fputs(outcome, out);
    fputc('\t', out);
    for (; words && *words; words++) fputc(*words == '\n' || *words == '\t' ? ' ' : *words, out);
    fputc('\n', out);
    fflush(out);
}

// What was saved gets a name that says it is whole.
static bool settle(const char *address) {
    char path[4096], whole[4096 + 8];
    if (strncmp(address, "file://", 7) != 0 || strlen(address) >= sizeof path) return false;
    snprintf(path, sizeof path, "%s", address + 7);
    snprintf(whole, sizeof whole, "%s.whole", path);
    return rename(path, whole) == 0;
}

static cpu_set_t all_processors;

// Where others are at work beside us, each keeps to a processor of its own: the kernel lays two busy workers on one
// processor whenever somebody wakes on the other, and leaves that one without work until its tick.
static void keep_to(const char *place) {
    static int kept = -1;
    int count = CPU_COUNT(&all_processors);
    int wanted = *place && count > 1 ? atoi(place) % count : -1;
    if (wanted == kept) return;
    kept = wanted;
    cpu_set_t chosen = all_processors;
    for (int i = 0; wanted >= 0 && i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all_processors) && wanted-- == 0) {
            CPU_ZERO(&chosen);
            CPU_SET(i, &chosen);
        }
    // Threads to come take after those that start them.
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return;
    for (struct dirent *thread; (thread = readdir(threads));)
        if (thread->d_name[0] != '.') sched_setaffinity(atoi(thread->d_name), sizeof chosen, &chosen);
    closedir(threads);
}

// The fields: address of the paper, address of the result, its format, filter options, load options, password, a macro
// of the profile to be run in between, and this worker's place among those at work, empty when it is alone.
enum { FIELD_COUNT = 8 };

static void convert(char *fields[FIELD_COUNT]) {
    password = *fields[5] ? fields[5] : NULL;
    times_asked = 0;
    keep_to(fields[7]);
    document *paper = kit->table->load_with_options(kit, fields[0], fields[4]);
    if (!paper) {
        char *error = kit->table->error(kit);
        const char *outcome = times_asked == 0 ? "unreadable" : password ? "wrong-password" : "locked";
        say(outcome, error);
        if (error && kit->table->free_error) kit->table->free_error(error);
        return;
    }
    if (*fields[6]) kit->table->run_macro(kit, fields[6]);
    int saved = paper->table->save_as(paper, fields[1], fields[2], *fields[3] ? fields[3] : NULL);
    char *error = saved ? NULL : kit->table->error(kit);
    if (saved && !settle(fields[1])) saved = 0;
    // Closed before anybody is told: whoever hears it has work at once, for which the machine may stop us here. Should
    // closing bring us down, what was saved can still be found.
    paper->table->destroy(paper);
    // A password nobody asked for is told: whoever gave it believes the paper to be locked.
    say(saved ? (password && times_asked == 0 ? "done-unlocked" : "done") : "unsaved", error);
    if (error && kit->table->free_error) kit->table->free_error(error);
}

static int waking[2];

static void wake(void *unused) {
    (void)unused;
    if (write(waking[1], "", 1) < 0) return; // full: it is awake
}

// LibreOffice has nothing to do for so long, or until it is woken; below 0, without end. It also asks in the middle of a
// paper, when it waits for something itself.
static int attend(void *unused, int microseconds) {
    (void)unused;
    static bool is_ready, is_busy;
    static char *line;
    static size_t room;
    if (!is_ready) say("ready", "");
    is_ready = true;
    struct pollfd inputs[2] = { { waking[0], POLLIN, 0 }, { 0, POLLIN, 0 } };
    int milliseconds = microseconds < 0 ? -1 : microseconds / 1000 + (microseconds % 1000 > 0);
    if (poll(inputs, is_busy ? 1 : 2, milliseconds) <= 0) return 0;
    if (inputs[0].revents) {
        char bytes[64];
        while (read(waking[0], bytes, sizeof bytes) > 0) continue;
        return 1;
    }
    ssize_t count = getline(&line, &room, stdin);
    // Its own way out takes seconds and has nothing to save.
    if (count <= 0) _exit(0);
    if (line[count - 1] == '\n') line[count - 1] = 0;
    char *fields[FIELD_COUNT];
    char *rest = line;
    int found = 0;
    while (found < FIELD_COUNT && rest) fields[found++] = strsep(&rest, "\t");
    if (found != FIELD_COUNT) {
        say("misasked", "eight fields are needed");
        return 1;
    }
    for (int i = 0; i < FIELD_COUNT; i++) decode(fields[i]);
    is_busy = true;
    convert(fields);
    is_busy = false;
    return 1;
}

int engine_office(const char *programs, const char *profile) {
    // LibreOffice and its parts may print; the answers go where nobody else writes.
    out = fdopen(dup(1), "w");
    if (!out || dup2(2, 1) < 0 || pipe2(waking, O_NONBLOCK | O_CLOEXEC) < 0) return 70;
    setenv("SAL_USE_VCLPLUGIN", "svp", 1);
    // Everything on this thread. On one of its own, LibreOffice lays out and paints what nobody will see while we convert,
    // up to a quarter of the work.
    setenv("SAL_LOK_OPTIONS", "unipoll", 1);
    // Threads to read and unpack with are of no use where every processor has a paper of its own, and cost more than
    // they save where it has not.
    setenv("SAX_DISABLE_THREADS", "1", 1);
    setenv("MAX_CONCURRENCY", "1", 1);
    sched_getaffinity(0, sizeof all_processors, &all_processors);
    kit = start(programs, profile);
    if (!kit) {
        say("absent", dlerror());
        return 69;
    }
    if (kit->table->size <= offsetof(struct office_table, run_loop)) {
        say("old", "this LibreOffice is older than 6.3");
        return 69;
    }
    kit->table->set_features(kit, FEATURE_PASSWORD | FEATURE_PASSWORD_TO_CHANGE);
    kit->table->listen(kit, on_question, NULL);
    // Without data LibreOffice believes that there is nobody to call.
    kit->table->run_loop(kit, attend, wake, waking);
    return 70; // it ends with our input, and never by itself
}
