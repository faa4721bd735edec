#include "charfbuzz.h"
#include "later.h"

#define HARFBUZZ "libharfbuzz.so.0"

LATER(HARFBUZZ, hb_blob_t *, hb_blob_create_from_file_or_fail, (const char *a), (a))
LATER(HARFBUZZ, void, hb_blob_destroy, (hb_blob_t *a), (a))
LATER(HARFBUZZ, const char *, hb_blob_get_data, (hb_blob_t *a, unsigned int *b), (a, b))
LATER(HARFBUZZ, void, hb_blob_make_immutable, (hb_blob_t *a), (a))
LATER(HARFBUZZ, void, hb_buffer_add_utf32,
      (hb_buffer_t *a, const uint32_t *b, int c, unsigned int d, int e),
      (a, b, c, d, e))
LATER(HARFBUZZ, hb_buffer_t *, hb_buffer_create, (void), ())
LATER(HARFBUZZ, void, hb_buffer_destroy, (hb_buffer_t *a), (a))
LATER(HARFBUZZ, hb_glyph_info_t *, hb_buffer_get_glyph_infos, (hb_buffer_t *a, unsigned int *b), (a, b))
LATER(HARFBUZZ, hb_glyph_position_t *, hb_buffer_get_glyph_positions, (hb_buffer_t *a, unsigned int *b), (a, b))
LATER(HARFBUZZ, void, hb_buffer_guess_segment_properties, (hb_buffer_t *a), (a))
LATER(HARFBUZZ, void, hb_buffer_set_cluster_level, (hb_buffer_t *a, hb_buffer_cluster_level_t b), (a, b))
LATER(HARFBUZZ, void, hb_buffer_set_direction, (hb_buffer_t *a, hb_direction_t b), (a, b))
LATER(HARFBUZZ, hb_face_t *, hb_face_create, (hb_blob_t *a, unsigned int b), (a, b))
LATER(HARFBUZZ, void, hb_face_destroy, (hb_face_t *a), (a))
LATER(HARFBUZZ, unsigned int, hb_face_get_glyph_count, (const hb_face_t *a), (a))
LATER(HARFBUZZ, unsigned int, hb_face_get_upem, (const hb_face_t *a), (a))
LATER(HARFBUZZ, void, hb_face_make_immutable, (hb_face_t *a), (a))
LATER(HARFBUZZ, hb_blob_t *, hb_face_reference_table, (const hb_face_t *a, hb_tag_t b), (a, b))
LATER(HARFBUZZ, hb_font_t *, hb_font_create, (hb_face_t *a), (a))
LATER(HARFBUZZ, void, hb_font_destroy, (hb_font_t *a), (a))
LATER(HARFBUZZ, hb_position_t, hb_font_get_glyph_h_advance, (hb_font_t *a, hb_codepoint_t b), (a, b))
LATER(HARFBUZZ, hb_bool_t, hb_font_get_glyph_extents, (hb_font_t *a, hb_codepoint_t b, hb_glyph_extents_t *c), (a, b, c))
LATER(HARFBUZZ, hb_bool_t, hb_font_get_h_extents, (hb_font_t *a, hb_font_extents_t *b), (a, b))
LATER(HARFBUZZ, hb_bool_t, hb_font_get_nominal_glyph, (hb_font_t *a, hb_codepoint_t b, hb_codepoint_t *c), (a, b, c))
LATER(HARFBUZZ, void, hb_font_make_immutable, (hb_font_t *a), (a))
LATER(HARFBUZZ, void, hb_shape, (hb_font_t *a, hb_buffer_t *b, const hb_feature_t *c, unsigned int d), (a, b, c, d))
