#define _GNU_SOURCE
#include "shortage.h"
#include "csystem.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// Swift ends the program where memory is refused. So before anybody hears of it, what was put aside is given up, and then
// some time is waited for others to free theirs. C libraries, which bear a refusal, hear of it a little later.

static _Atomic(void *) reserve;
static _Atomic(size_t) reserve_size;

// The stack of the first thread grows as it is used, and where no address is left for that, the program ends: so it has
// all that it may need from the beginning. Only the address is taken, no memory.
enum { deepest_stack = 1 << 20 };

static __attribute__((noinline)) void grow_first_stack(void) {
    if (csystem_thread_id() != getpid()) return;
    volatile char room[deepest_stack];
    (void)room[0];
}

void csystem_keep_memory_reserve(size_t byte_count) {
    if (atomic_load(&reserve) != NULL) return;
    grow_first_stack();
    void *aside = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (aside == MAP_FAILED) return;
    void *none = NULL;
    atomic_store(&reserve_size, byte_count);
    if (!atomic_compare_exchange_strong(&reserve, &none, aside)) munmap(aside, byte_count);
}

bool csystem_give_up_memory_reserve(void) {
    void *aside = atomic_exchange(&reserve, NULL);
    if (aside == NULL) return false;
    munmap(aside, atomic_load(&reserve_size));
    return true;
}

bool csystem_memory_is_short(void) { return atomic_load_explicit(&reserve, memory_order_relaxed) == NULL; }

bool csystem_memory_was_given_up(void) { return atomic_load(&reserve_size) != 0 && csystem_memory_is_short(); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_CHECKED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(IS_CHECKED)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// What is larger is asked for by those who can bear a refusal, or was asked about before.
static const size_t largest = 32 << 20;
static const int most_tries = 300;

static bool is_worth_trying_again(size_t byte_count, int tries) {
    if (byte_count > largest || tries >= most_tries) return false;
    if (csystem_give_up_memory_reserve()) return true;
    // A program that keeps nothing aside serves nobody, and need not wait for long.
    if (atomic_load(&reserve_size) == 0 && tries >= 10) return false;
    const struct timespec pause = {.tv_nsec = 10000000};
    nanosleep(&pause, NULL);
    return true;
}

void *malloc(size_t byte_count) {
    void *memory = __libc_malloc(byte_count);
    for (int tries = 0; __builtin_expect(memory == NULL, 0) && is_worth_trying_again(byte_count, tries); tries++)
        memory = __libc_malloc(byte_count);
    return memory;
}

void *calloc(size_t count, size_t size) {
    void *memory = __libc_calloc(count, size);
    size_t byte_count;
    if (__builtin_expect(memory != NULL, 1) || __builtin_mul_overflow(count, size, &byte_count)) return memory;
    for (int tries = 0; memory == NULL && is_worth_trying_again(byte_count, tries); tries++)
        memory = __libc_calloc(count, size);
    return memory;
}

void *realloc(void *old, size_t byte_count) {
    void *memory = __libc_realloc(old, byte_count);
    // Nothing may be what was asked for.
    for (int tries = 0; __builtin_expect(memory == NULL && byte_count != 0, 0) && is_worth_trying_again(byte_count, tries);
         tries++)
        memory = __libc_realloc(old, byte_count);
    return memory;
}

void *memalign(size_t alignment, size_t byte_count) {
    void *memory = __libc_memalign(alignment, byte_count);
    for (int tries = 0; __builtin_expect(memory == NULL, 0) && is_worth_trying_again(byte_count, tries); tries++)
        memory = __libc_memalign(alignment, byte_count);
    return memory;
}

void *aligned_alloc(size_t alignment, size_t byte_count) { return memalign(alignment, byte_count); }

int posix_memalign(void **memory, size_t alignment, size_t byte_count) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = memalign(alignment, byte_count);
    if (made == NULL) return ENOMEM;
    *memory = made;
    return 0;
}

#endif
