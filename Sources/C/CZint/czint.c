#include "czint.h"
#include <stdlib.h>
#include <zint.h>

static int symbology(int kind) {
    switch (kind) {
    case QUIRE_PDF417: return BARCODE_PDF417;
    case QUIRE_QR: return BARCODE_QRCODE;
    default: return BARCODE_DATAMATRIX;
    }
}

uint8_t *quire_barcode_make(int kind, const uint8_t *bytes, int count, int is_text, int level, int columns, int *rows, int *width) {
    if (count <= 0 || count > 8000) return NULL;
    struct zint_symbol *symbol = ZBarcode_Create();
    if (!symbol) return NULL;
    symbol->symbology = symbology(kind);
    symbol->input_mode = is_text ? UNICODE_MODE : DATA_MODE;
    if (level >= 0) symbol->option_1 = level;
    if (columns > 0 && kind == QUIRE_PDF417) symbol->option_2 = columns;
    uint8_t *modules = NULL;
    // Warnings come with a symbol: that a smaller level was taken, or that ECI was needed.
    if (ZBarcode_Encode(symbol, bytes, count) < ZINT_ERROR && symbol->rows > 0 && symbol->width > 0) {
        modules = malloc((size_t)symbol->rows * (size_t)symbol->width);
        if (modules) {
            for (int row = 0; row < symbol->rows; row++)
                for (int column = 0; column < symbol->width; column++)
                    modules[row * symbol->width + column] = symbol->encoded_data[row][column / 8] >> (column % 8) & 1;
            *rows = symbol->rows;
            *width = symbol->width;
        }
    }
    ZBarcode_Delete(symbol);
    return modules;
}

void quire_barcode_free(uint8_t *modules) { free(modules); }
