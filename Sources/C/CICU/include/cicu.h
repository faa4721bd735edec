#pragma once
#include <unicode/ubrk.h>
#include <unicode/unorm2.h>

// ICU renames its functions by macro (ubrk_open_72), which Swift cannot see.
static inline UBreakIterator *icu_line_breaks(const char *locale, const UChar *text, int32_t count, UErrorCode *status) {
    return ubrk_open(UBRK_LINE, locale, text, count, status);
}
static inline int32_t icu_next_break(UBreakIterator *breaks) { return ubrk_next(breaks); }
static inline void icu_close_breaks(UBreakIterator *breaks) { ubrk_close(breaks); }

// Composed form (NFC); returns the length, or more than `room` when it does not fit.
static inline int32_t icu_compose(const UChar *text, int32_t count, UChar *room_start, int32_t room) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *composer = unorm2_getNFCInstance(&status);
    if (U_FAILURE(status)) return -1;
    int32_t needed = unorm2_normalize(composer, text, count, room_start, room, &status);
    return U_FAILURE(status) ? -1 : needed;
}
