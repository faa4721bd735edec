#define _GNU_SOURCE
#include "guard.h"
#include "csystem.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock as of version 6; Debian 12's header ends at version 2. The kernel ignores fields it is not told
// the size of, so a shorter `size` speaks the older versions.
struct landlock_rules {
    uint64_t files;
    uint64_t network;
    uint64_t scoped;
};
enum { FILES_V1 = (1ULL << 13) - 1, FILES_REFER = 1ULL << 13, FILES_TRUNCATE = 1ULL << 14, FILES_DEVICES = 1ULL << 15 };
enum { NETWORK_BIND_AND_CONNECT = 3 };
enum { SCOPED_SOCKETS_AND_SIGNALS = 3 };

int csystem_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static int allow_path(int rules, const char *path, uint64_t access) {
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) return 0;  // A folder this machine does not have needs no rule.
    struct stat about;
    if (fstat(rule.parent_fd, &about) == 0 && !S_ISDIR(about.st_mode))
        rule.allowed_access &= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE
                               | LANDLOCK_ACCESS_FS_WRITE_FILE | FILES_TRUNCATE;
    long code = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return (int)code;
}

int guard_restrict_files(const char *const *readable, const char *const *writable) {
    int version = csystem_landlock_version();
    struct landlock_rules rules = {.files = FILES_V1};
    if (version >= 2) rules.files |= FILES_REFER;
    if (version >= 3) rules.files |= FILES_TRUNCATE;
    if (version >= 5) rules.files |= FILES_DEVICES;
    size_t size = sizeof rules.files;
    if (version >= 4) {
        rules.network = NETWORK_BIND_AND_CONNECT;
        size = 16;
    }
    if (version >= 6) {
        rules.scoped = SCOPED_SOCKETS_AND_SIGNALS;
        size = 24;
    }
    int made = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (made < 0) return -1;
    uint64_t reading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    int code = 0;
    for (; code == 0 && *readable; readable++) code = allow_path(made, *readable, reading);
    for (; code == 0 && *writable; writable++) code = allow_path(made, *writable, rules.files);
    if (code == 0) code = (int)syscall(SYS_landlock_restrict_self, made, 0);
    close(made);
    return code;
}

// The filter is put together from blocks. Each begins and ends with the call's number in the accumulator.
struct program {
    struct sock_filter steps[256];
    unsigned short count;
};

static void add(struct program *program, uint16_t code, uint8_t yes, uint8_t no, uint32_t k) {
    if (program->count < 256) program->steps[program->count++] = (struct sock_filter){code, yes, no, k};
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}
static void load_number(struct program *program) { load(program, offsetof(struct seccomp_data, nr)); }
// The lower half of an argument; both machines we run on are little-endian.
static void load_argument(struct program *program, int index) {
    load(program, offsetof(struct seccomp_data, args) + (size_t)index * 8);
}
static void answer(struct program *program, int error) {
    add(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void refuse(struct program *program, uint32_t call, int error) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call);
    answer(program, error);
}

// Refuses the call unless its argument is one of `allowed`.
static void refuse_unless(struct program *program, uint32_t call, int argument, const uint32_t *allowed,
                          int count, int error) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, (uint8_t)(count + 3), call);
    load_argument(program, argument);
    for (int i = 0; i < count; i++) add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint8_t)(count - i), 0, allowed[i]);
    answer(program, error);
    load_number(program);
}

// Refuses the call if its argument has (`test` = BPF_JSET) or is (BPF_JEQ) `value`.
static void refuse_if(struct program *program, uint32_t call, int argument, uint16_t test, uint32_t value,
                      int error) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call);
    load_argument(program, argument);
    add(program, BPF_JMP | test | BPF_K, 0, 1, value);
    answer(program, error);
    load_number(program);
}

static void build(struct program *program, uint32_t flags, pid_t self) {
    program->count = 0;
    load(program, offsetof(struct seccomp_data, arch));
#if defined(__x86_64__)
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64);
#else
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_AARCH64);
#endif
    add(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
    load_number(program);
#if defined(__x86_64__)
    // The x32 twins of all calls would walk past the numbers below.
    add(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
    answer(program, ENOSYS);
#endif
    // What document programs never need and what has opened kernels before.
    static const uint32_t never[] = {
        SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount, SYS_umount2, SYS_pivot_root,
        SYS_chroot, SYS_setns, SYS_unshare, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl,
        SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
        SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_open_by_handle_at,
        SYS_name_to_handle_at, SYS_quotactl, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_syslog,
        SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount, SYS_fsconfig, SYS_fspick, SYS_mount_setattr,
        SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
        SYS_pidfd_getfd,
        // Leaving the session or the group would escape being stopped with it.
        SYS_setsid, SYS_setpgid,
    };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) refuse(program, never[i], EPERM);
    // Its flags lie in memory where a filter cannot look; the C library falls back to clone.
    refuse(program, SYS_clone3, ENOSYS);
    refuse_if(program, SYS_clone, 0, BPF_JSET,
              CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID
                  | CLONE_NEWNET,
              EPERM);
    // TIOCSTI types into the terminal of whoever started us.
    refuse_if(program, SYS_ioctl, 1, BPF_JEQ, 0x5412, EPERM);
    refuse_if(program, SYS_ioctl, 1, BPF_JEQ, 0x541C, EPERM);

    if (!(flags & CSYSTEM_ALLOW_NETWORK)) {
        static const uint32_t local[] = {AF_UNIX, AF_NETLINK};
        refuse_unless(program, SYS_socket, 0, local, flags & CSYSTEM_ALLOW_LOCAL_SOCKETS ? 2 : 0, EAFNOSUPPORT);
        refuse_unless(program, SYS_socketpair, 0, local, 1, EAFNOSUPPORT);
    }
    if (!(flags & CSYSTEM_ALLOW_SIGNALS)) {
        const uint32_t own[] = {0, (uint32_t)self, (uint32_t)-self};
        refuse_unless(program, SYS_kill, 0, own, 3, EPERM);
        refuse_unless(program, SYS_tgkill, 0, own + 1, 1, EPERM);
        static const uint32_t others[] = {SYS_tkill, SYS_pidfd_send_signal, SYS_rt_sigqueueinfo,
                                          SYS_rt_tgsigqueueinfo};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) refuse(program, others[i], EPERM);
    }
    if (!(flags & CSYSTEM_ALLOW_CHANGES_BY_NAME)) {
        static const uint32_t changes[] = {
#if defined(__x86_64__)
            SYS_chmod, SYS_chown, SYS_lchown,
#endif
            SYS_fchmodat, 452 /* fchmodat2, not in Debian 12's headers */, SYS_fchownat, SYS_truncate,
            SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
        };
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) refuse(program, changes[i], EPERM);
    }
    add(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

int guard_restrict_calls(uint32_t flags, pid_t self) {
    struct program program;
    build(&program, flags, self);
    struct sock_fprog filter = {.len = program.count, .filter = program.steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int csystem_filter_file(uint32_t flags) {
    struct program program;
    build(&program, flags, 0);
    return csystem_memory_file(program.steps, program.count * sizeof *program.steps);
}
