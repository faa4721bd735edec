#pragma once
#include <stdint.h>

// The barcodes that fields of a form can be (ISO 32000-2 speaks of them as paper metadata, PMD).
enum quire_barcode_kind { QUIRE_PDF417, QUIRE_QR, QUIRE_DATA_MATRIX };

// Encodes bytes and gives the modules, a byte each (1 is dark), row by row from the top; to be freed by
// quire_barcode_free. Null when they do not fit any symbol of the kind. A level or column count of -1 leaves the choice
// to the library. `is_text`: the bytes are UTF-8, and shall be read as text.
uint8_t *quire_barcode_make(int kind, const uint8_t *bytes, int count, int is_text, int level, int columns, int *rows, int *width);
void quire_barcode_free(uint8_t *modules);
