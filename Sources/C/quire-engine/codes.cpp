// What square codes in pictures say. A code that does not name its letters is mostly UTF-8, whatever the standard has for
// usual: bytes that are UTF-8 are taken as they stand, and only others as the library guesses.
#define ZX_USE_UTF8 1
#include "engine.h"
#include <ZXing/ReadBarcode.h>
#include <exception>

static bool is_utf8(const ZXing::ByteArray &bytes) {
    for (size_t i = 0; i < bytes.size();) {
        uint8_t lead = bytes[i++];
        int more = lead < 0x80 ? 0 : lead >= 0xC2 && lead < 0xE0 ? 1 : (lead & 0xF0) == 0xE0 ? 2 : lead >= 0xF0 && lead < 0xF5 ? 3 : -1;
        if (more < 0) return false;
        for (; more > 0; more--)
            if (i >= bytes.size() || (bytes[i++] & 0xC0) != 0x80) return false;
    }
    return true;
}

int engine_codes(const uint8_t *grey, int width, int height, void (*found)(const uint8_t *, size_t, void *), void *context) {
    try {
        ZXing::DecodeHints hints;
        hints.setFormats(ZXing::BarcodeFormat::QRCode | ZXing::BarcodeFormat::MicroQRCode);
        hints.setTryHarder(true).setTryRotate(true).setTryDownscale(true);
        int count = 0;
        for (const auto &code : ZXing::ReadBarcodes({grey, width, height, ZXing::ImageFormat::Lum}, hints)) {
            if (!code.isValid()) continue;
            if (!code.hasECI() && is_utf8(code.bytes())) {
                found(code.bytes().data(), code.bytes().size(), context);
            } else {
                std::string text = code.text();
                found(reinterpret_cast<const uint8_t *>(text.data()), text.size(), context);
            }
            count++;
        }
        return count;
    } catch (const std::exception &) {
        return -1;
    }
}
