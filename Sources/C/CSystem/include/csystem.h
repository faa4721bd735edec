#pragma once
// What Linux and glibc offer that `import Glibc` does not show to Swift (GNU extensions, variadics, macros).
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The kernel's id of the calling thread.
pid_t csystem_thread_id(void);

/// Starts a thread with a stack of `stack_byte_count` bytes and gives it a name of at most 15 letters.
/// Where the machine has none to give it is asked again, `patience` times within as many hundredths of a second.
/// Returns 0, or the errno value that says why no thread could be made.
int csystem_thread_start(uint64_t *thread, size_t stack_byte_count, const char *name, int patience,
                         void *(*body)(void *), void *argument);
/// Waits for the thread's end.
void csystem_thread_join(uint64_t thread);
/// Says that nobody will wait for this thread.
void csystem_thread_detach(uint64_t thread);

/// Others of the same program go before the calling thread, from now on.
void csystem_thread_let_others_go_first(void);

/// Gives back what was freed and is still held, and the pages of the program and its libraries that only its beginning
/// needed. What is needed after all comes back by itself.
void csystem_let_memory_go(void);
/// Puts memory aside, which is given up when the machine refuses any; again, if it was.
void csystem_keep_memory_reserve(size_t byte_count);
/// Gives it up; false when nothing was put aside.
bool csystem_give_up_memory_reserve(void);
/// Whether nothing is put aside.
bool csystem_memory_is_short(void);
/// Some of what is freed from now on is kept by each thread for what it asks for next.
void csystem_keep_freed_memory(void);

/// Lets the disk begin with what was written to a file, without waiting for it: whoever syncs it soon waits less.
void csystem_begin_saving(int descriptor);

/// Limits of a child; 0 means none.
struct csystem_limits {
    uint64_t cpu_seconds;
    uint64_t data_byte_count;
    uint64_t file_byte_count;
    uint64_t process_count;
    uint64_t open_file_count;
    // From 0 to 19: how far others go first.
    int niceness;
};

/// What the system-call filter lets through.
enum {
    /// Sockets of every family; otherwise none.
    CSYSTEM_ALLOW_NETWORK = 1,
    /// Sockets that stay on this machine (AF_UNIX, AF_NETLINK).
    CSYSTEM_ALLOW_LOCAL_SOCKETS = 2,
    /// Signals to any process; otherwise only to itself and its group.
    CSYSTEM_ALLOW_SIGNALS = 4,
    /// Changing a file's rights, owner or length by its name, which Landlock does not watch over.
    CSYSTEM_ALLOW_CHANGES_BY_NAME = 8,
};

/// How a child is to be started. Nothing is inherited that is not named here.
struct csystem_spawn {
    const char *program;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    /// Become 0, 1, 2 and, unless negative, 3 in the child; every other descriptor is closed.
    int input, output, error, extra;
    struct csystem_limits limits;
    int changes_user;
    uint32_t user;
    /// No new privileges, and the filter above.
    int is_filtered;
    uint32_t filter_flags;
    /// Landlock: these and nothing else may be read (and run), these also changed. NULL-terminated.
    int is_landlocked;
    const char *const *readable;
    const char *const *writable;
};

/// Starts a child in a session and process group of its own, which dies with the calling thread.
/// Returns 0, or an errno value and in `step` the name of what failed.
int csystem_spawn(const struct csystem_spawn *plan, pid_t *child, const char **step);

/// Landlock's version on this machine; 0 when there is none.
int csystem_landlock_version(void);
/// Writes the system-call filter in the form bubblewrap takes to a new memory file; -1 on failure.
int csystem_filter_file(uint32_t flags);
/// A file that lives in memory only and holds these bytes, ready to be read; -1 on failure.
int csystem_memory_file(const void *bytes, size_t byte_count);
/// A descriptor that becomes readable when the process ends; -1 when the kernel has none.
int csystem_pidfd(pid_t process);
/// Like pipe(2), closed on exec; 0 or an errno value.
int csystem_pipe(int ends[2]);
/// A descriptor to wake a poll(2) with, closed on exec; -1 on failure.
int csystem_wake_file(void);
/// Takes the ended child's place in the process table; 0 or an errno value.
int csystem_reap(pid_t child, int *status, int64_t *cpu_microseconds, int64_t *peak_byte_count);

static inline int csystem_exited(int status) { return (status & 0x7F) == 0; }
static inline int csystem_exit_code(int status) { return (status >> 8) & 0xFF; }
static inline int csystem_signal(int status) { return status & 0x7F; }

/// What the build was told with -DQUIRE_COMMIT=…, or NULL.
const char *csystem_build_commit(void);

/// How long the key of an encrypted folder is, and the name by which the kernel knows it.
enum { CSYSTEM_KEY_SIZE = 64, CSYSTEM_KEY_NAME_SIZE = 16 };

// Folders that their file system encrypts. Each returns 0 or an errno value: EOPNOTSUPP where the file system was not
// prepared for it, ENOTTY where it cannot.
/// With which key; ENODATA when the folder is not encrypted.
int csystem_folder_key(int folder, uint8_t *name);
/// An empty folder of the caller's is encrypted from now on; the key has to be lent already.
int csystem_folder_encrypt(int folder, const uint8_t *name);
/// Until it is taken back or the machine is started anew. Tells the key's name.
int csystem_key_lend(int folder, const uint8_t *key, uint8_t *name);
/// `is_in_use` when files are still open; they stay readable until they are closed.
int csystem_key_take_back(int folder, const uint8_t *name, bool *is_in_use);
int csystem_key_is_lent(int folder, const uint8_t *name, bool *is_lent);
