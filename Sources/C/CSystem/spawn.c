#define _GNU_SOURCE
#include "csystem.h"
#include "guard.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The steps of a child on its way to exec, so that a failure can say where.
enum step { STEP_SESSION, STEP_FILES, STEP_LIMITS, STEP_USER, STEP_DIRECTORY, STEP_LANDLOCK, STEP_FILTER, STEP_RUN };
static const char *const step_names[] = {
    "start a session", "arrange files", "set limits", "change user", "enter the folder",
    "restrict files", "restrict system calls", "run the program",
};
struct failure { int step; int code; };

// A limit that is stricter already stays: only the superuser may loosen one.
static int set_limit(int which, uint64_t soft, uint64_t hard) {
    struct rlimit limit, now;
    if (getrlimit(which, &now)) return -1;
    limit.rlim_max = hard < now.rlim_max ? hard : now.rlim_max;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    return setrlimit(which, &limit);
}

static int set_limits(const struct csystem_limits *limits) {
    // So does a patience that is greater already.
    if (limits->niceness && getpriority(PRIO_PROCESS, 0) < limits->niceness
        && setpriority(PRIO_PROCESS, 0, limits->niceness))
        return -1;
    if (set_limit(RLIMIT_CORE, 0, 0)) return -1;
    // One second between the polite signal (SIGXCPU) and the kill.
    if (limits->cpu_seconds && set_limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1)) return -1;
    if (limits->data_byte_count && set_limit(RLIMIT_DATA, limits->data_byte_count, limits->data_byte_count)) return -1;
    if (limits->file_byte_count && set_limit(RLIMIT_FSIZE, limits->file_byte_count, limits->file_byte_count)) return -1;
    if (limits->process_count && set_limit(RLIMIT_NPROC, limits->process_count, limits->process_count)) return -1;
    if (limits->open_file_count && set_limit(RLIMIT_NOFILE, limits->open_file_count, limits->open_file_count)) return -1;
    return 0;
}

// Root without capabilities is nearly nobody: some of them see past Landlock.
static void drop_capabilities(void) {
    for (int capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    syscall(SYS_capset, &header, none);
}

// Lives in our memory until it runs its program, on a stack of its own, and we wait meanwhile: only calls that leave no
// trace in memory. Setting users goes past the C library, which would set those of all our threads.
static void become(const struct csystem_spawn *plan, int report) {
    struct failure failure = {.step = STEP_SESSION};
    if (setsid() < 0) goto failed;

    failure.step = STEP_FILES;
    // First above the places they are going to, lest one overwrites another.
    int wanted[] = {plan->input, plan->output, plan->error, plan->extra};
    for (int i = 0; i < 4; i++)
        if (wanted[i] >= 0 && (wanted[i] = fcntl(wanted[i], F_DUPFD_CLOEXEC, 16)) < 0) goto failed;
    if ((report = fcntl(report, F_DUPFD_CLOEXEC, 16)) < 0) goto failed;
    for (int i = 0; i < 4; i++)
        if (wanted[i] >= 0 && dup2(wanted[i], i) < 0) goto failed;
    int first = plan->extra >= 0 ? 4 : 3;
    // Close-on-exec rather than close: `report` must live until then.
    if (syscall(SYS_close_range, first, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */) != 0) {
        struct rlimit files;
        int last = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 65536 ? (int)files.rlim_cur : 65536;
        for (int fd = first; fd < last; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
    }

    // By hand, because glibc does not let anyone touch the two signals it keeps for itself, which a careless
    // ancestor may have left ignored. A struct of zeros is SIG_DFL.
    static const char default_action[64];
    for (int number = 1; number < NSIG; number++)
        syscall(SYS_rt_sigaction, number, default_action, NULL, 8);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(077);

    failure.step = STEP_LIMITS;
    if (set_limits(&plan->limits)) goto failed;

    failure.step = STEP_USER;
    if (plan->changes_user) {
        if (syscall(SYS_setgroups, 0, NULL) || syscall(SYS_setresgid, plan->user, plan->user, plan->user)
            || syscall(SYS_setresuid, plan->user, plan->user, plan->user))
            goto failed;
    }
    // After the change of user, which would clear it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);

    failure.step = STEP_DIRECTORY;
    if (plan->directory && chdir(plan->directory)) goto failed;

    if (plan->is_filtered || plan->is_landlocked) {
        failure.step = STEP_FILTER;
        drop_capabilities();
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) goto failed;
    }
    failure.step = STEP_LANDLOCK;
    if (plan->is_landlocked && guard_restrict_files(plan->readable, plan->writable)) goto failed;
    failure.step = STEP_FILTER;
    if (plan->is_filtered && guard_restrict_calls(plan->filter_flags, getpid())) goto failed;

    failure.step = STEP_RUN;
    execve(plan->program, plan->arguments, plan->environment);
failed:
    failure.code = errno;
    if (write(report, &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
}

struct beginning {
    const struct csystem_spawn *plan;
    int report;
};

static int begin(void *given) {
    const struct beginning *beginning = given;
    become(beginning->plan, beginning->report);
    return 127;
}

enum { STACK_BYTE_COUNT = 64 << 10 };

int csystem_spawn(const struct csystem_spawn *plan, pid_t *child, const char **step) {
    int ends[2];
    *step = "make a pipe";
    if (pipe2(ends, O_CLOEXEC)) return errno;
    char *stack = mmap(NULL, STACK_BYTE_COUNT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        int code = errno;
        close(ends[0]);
        close(ends[1]);
        *step = "make room for a process";
        return code;
    }
    // A signal handler of ours must not run in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    // A fork would copy the tables of all our memory, only to throw them away a moment later. Whoever changes its user in
    // there makes our memory unreadable for that user's other processes, and it stays so.
    struct beginning beginning = {.plan = plan, .report = ends[1]};
    pid_t made = clone(begin, stack + STACK_BYTE_COUNT, CLONE_VM | CLONE_VFORK | SIGCHLD, &beginning);
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STACK_BYTE_COUNT);
    close(ends[1]);
    if (made < 0) {
        close(ends[0]);
        *step = "start a process";
        return code;
    }
    struct failure failure;
    ssize_t got;
    do got = read(ends[0], &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    close(ends[0]);
    if (got == sizeof failure) {
        int status;
        while (waitpid(made, &status, 0) < 0 && errno == EINTR) {}
        *step = step_names[failure.step];
        return failure.code ? failure.code : EINVAL;
    }
    *child = made;
    return 0;
}

int csystem_memory_file(const void *bytes, size_t byte_count) {
    int file = memfd_create("bytes", MFD_CLOEXEC);
    if (file < 0) return -1;
    size_t written = 0;
    while (written < byte_count) {
        ssize_t step = write(file, (const char *)bytes + written, byte_count - written);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) break;
        written += (size_t)step;
    }
    if (written == byte_count && lseek(file, 0, SEEK_SET) == 0) return file;
    close(file);
    return -1;
}

int csystem_pidfd(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
int csystem_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) ? errno : 0; }
int csystem_wake_file(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int csystem_reap(pid_t child, int *status, int64_t *cpu_microseconds, int64_t *peak_byte_count) {
    struct rusage usage;
    while (wait4(child, status, 0, &usage) < 0)
        if (errno != EINTR) return errno;
    *cpu_microseconds = (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000
                        + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    *peak_byte_count = (int64_t)usage.ru_maxrss * 1024;
    return 0;
}
