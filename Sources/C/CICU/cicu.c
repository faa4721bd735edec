#include "cicu.h"
#include "later.h"

// Each release of ICU has its number in the names of its library and of its functions; the macros of its headers bring
// it into both.
#define ICU "libicuuc.so." U_ICU_VERSION_SHORT
#define ICU_I18N "libicui18n.so." U_ICU_VERSION_SHORT

LATER(ICU, UBreakIterator *, ubrk_open,
      (UBreakIteratorType a, const char *b, const UChar *c, int32_t d, UErrorCode *e),
      (a, b, c, d, e))
LATER(ICU, int32_t, ubrk_next, (UBreakIterator *a), (a))
LATER(ICU, void, ubrk_close, (UBreakIterator *a), (a))
LATER(ICU, const UNormalizer2 *, unorm2_getNFCInstance, (UErrorCode *a), (a))
LATER(ICU, int32_t, unorm2_normalize,
      (const UNormalizer2 *a, const UChar *b, int32_t c, UChar *d, int32_t e, UErrorCode *f),
      (a, b, c, d, e, f))
LATER(ICU_I18N, URegularExpression *, uregex_open,
      (const UChar *a, int32_t b, uint32_t c, UParseError *d, UErrorCode *e),
      (a, b, c, d, e))
LATER(ICU_I18N, void, uregex_close, (URegularExpression *a), (a))
LATER(ICU_I18N, void, uregex_setTimeLimit, (URegularExpression *a, int32_t b, UErrorCode *c), (a, b, c))
LATER(ICU_I18N, void, uregex_setStackLimit, (URegularExpression *a, int32_t b, UErrorCode *c), (a, b, c))
LATER(ICU_I18N, void, uregex_setText, (URegularExpression *a, const UChar *b, int32_t c, UErrorCode *d), (a, b, c, d))
LATER(ICU_I18N, UBool, uregex_findNext, (URegularExpression *a, UErrorCode *b), (a, b))
LATER(ICU_I18N, int32_t, uregex_start, (URegularExpression *a, int32_t b, UErrorCode *c), (a, b, c))
LATER(ICU_I18N, int32_t, uregex_end, (URegularExpression *a, int32_t b, UErrorCode *c), (a, b, c))
