#pragma once
#include <unicode/ubrk.h>
#include <unicode/uscript.h>

// ICU renames its functions by macro (ubrk_open_72), which Swift cannot see.
static inline UBreakIterator *icu_line_breaks(const char *locale, const UChar *text, int32_t count, UErrorCode *status) {
    return ubrk_open(UBRK_LINE, locale, text, count, status);
}
static inline int32_t icu_next_break(UBreakIterator *breaks) { return ubrk_next(breaks); }
static inline void icu_close_breaks(UBreakIterator *breaks) { ubrk_close(breaks); }
static inline int32_t icu_script(UChar32 scalar) {
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript(scalar, &status);
}
static inline int icu_has_script(UChar32 scalar, int32_t script) {
    return uscript_hasScript(scalar, (UScriptCode)script);
}
