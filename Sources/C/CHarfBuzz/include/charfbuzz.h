#pragma once
#if __has_include(<hb.h>)
#include <hb.h>
#include <hb-ot.h>
#else
#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb.h>
#endif
