// What Swift asks of its host where there is no C library: memory, and the four that fill, copy and compare it.
//
// Small pieces are rounded up to powers of two and kept in a list for each; large ones to whole pages of 64 kB, in one list in
// which the first that fits is taken. So the memory of a picture that was given back is found again for the next one.
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;

enum { PAGE = 65536, SMALLEST = 16, CLASSES = 13 };

// Lies in front of each piece; sixteen bytes long on wasm32, so that what follows is as aligned as Swift may want it.
typedef struct piece {
    size_t size;
    struct piece *next;
    size_t unused[2];
} piece;

extern unsigned char __heap_base;
static uintptr_t unused_from, unused_to;
static piece *small[CLASSES], *large;

static int class_of(size_t size) {
    int class = 0;
    while ((size_t)SMALLEST << class < size) class++;
    return class;
}

static piece *fresh(size_t size) {
    size_t whole = size + sizeof(piece);
    if (!unused_from) {
        unused_from = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        unused_to = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    }
    if (unused_from + whole < unused_from) return 0;
    if (unused_from + whole > unused_to) {
        size_t pages = (unused_from + whole - unused_to + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
        unused_to += pages * PAGE;
    }
    piece *found = (piece *)unused_from;
    unused_from += whole;
    found->size = size;
    return found;
}

static void *take(size_t size) {
    piece **list = &large, *found;
    if (size > 0x7fff0000u) return 0;
    if (size <= PAGE) {
        int class = class_of(size);
        list = &small[class];
        size = (size_t)SMALLEST << class;
    } else {
        size = (size + PAGE - 1) / PAGE * PAGE;
        // Half as large again at most, or small wishes would use up what large ones need.
        while (*list && ((*list)->size < size || (*list)->size > size + size / 2)) list = &(*list)->next;
    }
    found = *list;
    if (found) *list = found->next;
    else if (!(found = fresh(size))) return 0;
    return found + 1;
}

void *malloc(size_t size) { return take(size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    if (alignment > 16) return 22;
    return (*out = take(size)) ? 0 : 12;
}

void free(void *memory) {
    if (!memory) return;
    piece *back = (piece *)memory - 1;
    piece **list = back->size <= PAGE ? &small[class_of(back->size)] : &large;
    back->next = *list;
    *list = back;
}

// With -mbulk-memory each of these is one instruction; without, it would call itself for ever.
void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }

int memcmp(const void *a, const void *b, size_t count) {
    const unsigned char *one = a, *other = b;
    for (; count; count--, one++, other++)
        if (*one != *other) return *one - *other;
    return 0;
}

// Asked for by what hashes; nothing here is kept from anybody.
void arc4random_buf(void *to, size_t count) { memset(to, 0x5a, count); }
