#define _GNU_SOURCE
#include "csystem.h"
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

// Only what is never written: such a page is the file's, and is there again when it is next read. Those that were written
// (relocated addresses, variables) would come back as they were before.
static int let_go(struct dl_phdr_info *about, size_t size, void *unused) {
    (void)size, (void)unused;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < about->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &about->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        uintptr_t start = (about->dlpi_addr + part->p_vaddr) & ~(page - 1);
        uintptr_t end = about->dlpi_addr + part->p_vaddr + part->p_filesz;
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

// As many bytes as a few dozen documents take.
static const int kept = 1 << 20;

void csystem_keep_freed_memory(void) { mallopt(M_TRIM_THRESHOLD, kept); }

void csystem_let_memory_go(void) {
    malloc_trim(0);
    dl_iterate_phdr(let_go, NULL);
}
