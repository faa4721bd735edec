#pragma once
#include <fribidi.h>

// FriBidi's types are enums or integers depending on how it was built, so the call is made here.
// `types` and `brackets` are room for as many numbers as there are characters. Gives 1 for a paragraph that runs
// left, 0 for one that runs right, -1 when memory ran out.
static inline int fribidi_levels(const uint32_t *text, int32_t count, uint32_t *types, uint32_t *brackets, int8_t *levels) {
    fribidi_get_bidi_types(text, count, (FriBidiCharType *)types);
    fribidi_get_bracket_types(text, count, (FriBidiCharType *)types, (FriBidiBracketType *)brackets);
    FriBidiParType base = fribidi_get_par_direction((FriBidiCharType *)types, count);
    if (!fribidi_get_par_embedding_levels_ex((FriBidiCharType *)types, (FriBidiBracketType *)brackets, count, &base, (FriBidiLevel *)levels))
        return -1;
    return FRIBIDI_IS_RTL(base) ? 1 : 0;
}
