#include "cfontconfig.h"
#include "later.h"

#define FONTCONFIG "libfontconfig.so.1"

LATER(FONTCONFIG, FcBool, FcCharSetAddChar, (FcCharSet *a, FcChar32 b), (a, b))
LATER(FONTCONFIG, FcCharSet *, FcCharSetCreate, (void), ())
LATER(FONTCONFIG, void, FcCharSetDestroy, (FcCharSet *a), (a))
LATER(FONTCONFIG, FcBool, FcCharSetHasChar, (const FcCharSet *a, FcChar32 b), (a, b))
LATER(FONTCONFIG, FcBool, FcConfigSubstitute, (FcConfig *a, FcPattern *b, FcMatchKind c), (a, b, c))
LATER(FONTCONFIG, void, FcDefaultSubstitute, (FcPattern *a), (a))
LATER(FONTCONFIG, FcPattern *, FcFontMatch, (FcConfig *a, FcPattern *b, FcResult *c), (a, b, c))
LATER(FONTCONFIG, void, FcFontSetDestroy, (FcFontSet *a), (a))
LATER(FONTCONFIG, FcFontSet *, FcFontSort,
      (FcConfig *a, FcPattern *b, FcBool c, FcCharSet **d, FcResult *e),
      (a, b, c, d, e))
LATER(FONTCONFIG, FcBool, FcPatternAddBool, (FcPattern *a, const char *b, FcBool c), (a, b, c))
LATER(FONTCONFIG, FcBool, FcPatternAddCharSet, (FcPattern *a, const char *b, const FcCharSet *c), (a, b, c))
LATER(FONTCONFIG, FcBool, FcPatternAddInteger, (FcPattern *a, const char *b, int c), (a, b, c))
LATER(FONTCONFIG, FcBool, FcPatternAddString, (FcPattern *a, const char *b, const FcChar8 *c), (a, b, c))
LATER(FONTCONFIG, FcPattern *, FcPatternCreate, (void), ())
LATER(FONTCONFIG, void, FcPatternDestroy, (FcPattern *a), (a))
LATER(FONTCONFIG, FcResult, FcPatternGetCharSet,
      (const FcPattern *a, const char *b, int c, FcCharSet **d),
      (a, b, c, d))
LATER(FONTCONFIG, FcResult, FcPatternGetInteger, (const FcPattern *a, const char *b, int c, int *d), (a, b, c, d))
LATER(FONTCONFIG, FcResult, FcPatternGetString, (const FcPattern *a, const char *b, int c, FcChar8 **d), (a, b, c, d))
