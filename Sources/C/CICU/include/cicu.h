#pragma once
#include <unicode/ubrk.h>
#include <unicode/uregex.h>
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

// Letters of any script are letters to it, and capitals do not matter. Ends by itself: neither time nor memory without end.
static inline URegularExpression *icu_expression(const UChar *text, int32_t count, UErrorCode *status) {
    UParseError where;
    URegularExpression *expression = uregex_open(text, count, UREGEX_CASE_INSENSITIVE | UREGEX_MULTILINE, &where, status);
    if (U_FAILURE(*status)) return 0;
    uregex_setTimeLimit(expression, 2000, status);
    uregex_setStackLimit(expression, 8 << 20, status);
    return expression;
}
static inline void icu_close_expression(URegularExpression *expression) { uregex_close(expression); }
// The text must stay where it is while matches are looked for.
static inline void icu_look_in(URegularExpression *expression, const UChar *text, int32_t count, UErrorCode *status) {
    uregex_setText(expression, text, count, status);
}
static inline int icu_find_next(URegularExpression *expression, int32_t *start, int32_t *end, UErrorCode *status) {
    if (!uregex_findNext(expression, status) || U_FAILURE(*status)) return 0;
    *start = uregex_start(expression, 0, status);
    *end = uregex_end(expression, 0, status);
    return U_SUCCESS(*status);
}
