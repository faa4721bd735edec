// Pictures that PDF cannot hold as they are, drawn to ones it can. Leptonica and libheif are loaded when they are
// needed: what is missing is said by its package's name, and nothing else stops working.
#include "engine.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What each picture becomes; packed ones are photographs when they have shades, and plain when they have few colours.
// Pixels are a portable pixmap: a short head, then red, green and blue of each. Of codes only what they say is written.
enum form { PLAIN, PHOTO, PACKED, PIXELS, CODES };
enum { FILE_TIFF_FIRST = 4, FILE_TIFF_LAST = 10, FILE_PNG = 3, FILE_JPEG = 2, FILE_PNM = 11 };
static int jpeg_quality = 92;
enum { EXIT_DAMAGED = 65, EXIT_TOO_LARGE = 66, EXIT_LIBRARY_MISSING = 69, EXIT_UNWRITABLE = 73 };

typedef struct pix pix;

static struct {
    pix *(*read)(const char *);
    pix *(*read_tiff_page)(const char *, size_t *);
    int (*read_header)(const char *, int *, int *, int *, int *, int *, int *);
    int (*find_format)(const char *, int *);
    int (*dimensions)(const pix *, int *, int *, int *);
    int (*resolution)(const pix *, int *, int *);
    int (*write)(const char *, pix *, int);
    int (*write_jpeg)(const char *, pix *, int, int);
    void *(*colormap)(pix *);
    pix *(*remove_colormap)(pix *, int);
    pix *(*remove_alpha)(pix *);
    pix *(*convert_to_rgb)(pix *);
    pix *(*create)(int, int, int);
    uint32_t *(*data)(pix *);
    int (*words_per_line)(const pix *);
    int (*set_samples)(pix *, int);
    void (*destroy)(pix **);
    int (*set_severity)(int);
} lept;

static int load(void *library, const char *name, void *place) {
    void *address = dlsym(library, name);
    memcpy(place, &address, sizeof address);
    return address != NULL;
}

static int load_leptonica(void) {
    void *library = dlopen("liblept.so.5", RTLD_NOW);
    if (!library) library = dlopen("libleptonica.so.6", RTLD_NOW);
    return library && load(library, "pixRead", &lept.read)
           && load(library, "pixReadFromMultipageTiff", &lept.read_tiff_page)
           && load(library, "pixReadHeader", &lept.read_header)
           && load(library, "findFileFormat", &lept.find_format)
           && load(library, "pixGetDimensions", &lept.dimensions)
           && load(library, "pixGetResolution", &lept.resolution) && load(library, "pixWrite", &lept.write)
           && load(library, "pixWriteJpeg", &lept.write_jpeg)
           && load(library, "pixGetColormap", &lept.colormap)
           && load(library, "pixRemoveColormap", &lept.remove_colormap)
           && load(library, "pixRemoveAlpha", &lept.remove_alpha)
           && load(library, "pixConvertTo32", &lept.convert_to_rgb) && load(library, "pixCreate", &lept.create)
           && load(library, "pixGetData", &lept.data) && load(library, "pixGetWpl", &lept.words_per_line)
           && load(library, "pixSetSpp", &lept.set_samples) && load(library, "pixDestroy", &lept.destroy)
           && load(library, "setMsgSeverity", &lept.set_severity);
}

static void say_code(const uint8_t *bytes, size_t count, void *context) {
    (void)context;
    for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
    putchar('\n');
}

// A line for each code, in hexadecimal digits.
static int say_codes(pix *picture, int width, int height) {
    pix *opaque = lept.remove_alpha(picture);
    pix *rgb = opaque ? lept.convert_to_rgb(opaque) : NULL;
    uint8_t *grey = rgb ? malloc((size_t)width * height) : NULL;
    if (grey) {
        const uint32_t *words = lept.data(rgb);
        int per_line = lept.words_per_line(rgb);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                uint32_t pixel = words[(size_t)y * per_line + x];
                grey[(size_t)y * width + x] = ((pixel >> 24) * 77 + (pixel >> 16 & 255) * 150 + (pixel >> 8 & 255) * 29) >> 8;
            }
    }
    int count = grey ? engine_codes(grey, width, height, say_code, NULL) : -1;
    free(grey);
    if (rgb) lept.destroy(&rgb);
    if (opaque) lept.destroy(&opaque);
    return count < 0 ? EXIT_DAMAGED : 0;
}

static int write_one(pix *picture, const char *output, int number, enum form form, long long most_pixels) {
    int width, height, depth, across = 0, up = 0;
    if (lept.dimensions(picture, &width, &height, &depth)) return EXIT_DAMAGED;
    if ((long long)width * height > most_pixels) return EXIT_TOO_LARGE;
    if (form == CODES) return say_codes(picture, width, height);
    lept.resolution(picture, &across, &up);
    if (form == PIXELS) {
        char name[4096];
        snprintf(name, sizeof name, "%s-%d.ppm", output, number);
        pix *opaque = lept.remove_alpha(picture);
        pix *rgb = opaque ? lept.convert_to_rgb(opaque) : NULL;
        int failed = !rgb || lept.write(name, rgb, FILE_PNM);
        if (opaque) lept.destroy(&opaque);
        if (rgb) lept.destroy(&rgb);
        if (failed) return EXIT_UNWRITABLE;
        printf("%d\t%d\t%d\t%d\t%s\n", width, height, across, up, name);
        return 0;
    }
    int is_jpeg = form == PHOTO || (form == PACKED && depth >= 8 && !lept.colormap(picture));
    char name[4096];
    snprintf(name, sizeof name, "%s-%d.%s", output, number, is_jpeg ? "jpg" : "png");
    int failed;
    if (is_jpeg) {
        pix *plain = lept.remove_colormap(picture, 4 /* by what the map holds */);
        pix *opaque = plain ? lept.remove_alpha(plain) : NULL;
        failed = !opaque || lept.write_jpeg(name, opaque, jpeg_quality, 0);
        if (plain) lept.destroy(&plain);
        if (opaque) lept.destroy(&opaque);
    } else {
        failed = lept.write(name, picture, FILE_PNG);
    }
    if (failed) return EXIT_UNWRITABLE;
    printf("%d\t%d\t%d\t%d\t%s\n", width, height, across, up, name);
    return 0;
}

// libheif's interface since 1.0; structures are passed through unseen.
struct heif_error { int code, subcode; const char *message; };

static int draw_heif(const char *input, const char *output, enum form form, long long most_pixels) {
    void *library = dlopen("libheif.so.1", RTLD_NOW);
    if (!library) {
        fputs("libheif1", stderr);
        return EXIT_LIBRARY_MISSING;
    }
    void *(*context_new)(void);
    struct heif_error (*read_file)(void *, const char *, const void *);
    struct heif_error (*primary)(void *, void **);
    int (*handle_width)(const void *), (*handle_height)(const void *);
    struct heif_error (*decode)(const void *, void **, int colorspace, int chroma, const void *);
    const uint8_t *(*plane)(const void *, int channel, int *stride);
    int (*image_width)(const void *, int), (*image_height)(const void *, int);
    if (!(load(library, "heif_context_alloc", &context_new)
          && load(library, "heif_context_read_from_file", &read_file)
          && load(library, "heif_context_get_primary_image_handle", &primary)
          && load(library, "heif_image_handle_get_width", &handle_width)
          && load(library, "heif_image_handle_get_height", &handle_height)
          && load(library, "heif_decode_image", &decode)
          && load(library, "heif_image_get_plane_readonly", &plane)
          && load(library, "heif_image_get_width", &image_width)
          && load(library, "heif_image_get_height", &image_height)))
        return EXIT_LIBRARY_MISSING;
    void *context = context_new();
    void *handle = NULL, *image = NULL;
    if (!context || read_file(context, input, NULL).code || primary(context, &handle).code) return EXIT_DAMAGED;
    if ((long long)handle_width(handle) * handle_height(handle) > most_pixels) return EXIT_TOO_LARGE;
    enum { COLORSPACE_RGB = 1, CHROMA_INTERLEAVED_RGB = 10, CHANNEL_INTERLEAVED = 10 };
    // Turning and mirroring that the file asks for are done on the way.
    if (decode(handle, &image, COLORSPACE_RGB, CHROMA_INTERLEAVED_RGB, NULL).code) return EXIT_DAMAGED;
    int stride, width = image_width(image, CHANNEL_INTERLEAVED), height = image_height(image, CHANNEL_INTERLEAVED);
    const uint8_t *rows = plane(image, CHANNEL_INTERLEAVED, &stride);
    pix *picture = rows && width > 0 && height > 0 ? lept.create(width, height, 32) : NULL;
    if (!picture) return EXIT_DAMAGED;
    lept.set_samples(picture, 3);
    uint32_t *words = lept.data(picture);
    int per_line = lept.words_per_line(picture);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t *from = rows + (size_t)y * stride + (size_t)x * 3;
            words[(size_t)y * per_line + x] = (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8;
        }
    return write_one(picture, output, 1, form, most_pixels);
}

int engine_pictures(const char *input, const char *output, const char *format, long long most_pixels) {
    if (!load_leptonica()) {
        fputs("liblept5", stderr);
        return EXIT_LIBRARY_MISSING;
    }
    lept.set_severity(6);
    enum form form = strstr(format, "jpeg")     ? PHOTO
                     : strstr(format, "packed") ? PACKED
                     : strstr(format, "pixels") ? PIXELS
                     : strstr(format, "codes")  ? CODES
                                                : PLAIN;
    // “jpeg:60” wants a quality of its own.
    const char *quality = strchr(format, ':');
    if (quality && atoi(quality + 1) >= 1 && atoi(quality + 1) <= 100) jpeg_quality = atoi(quality + 1);
    if (strncmp(format, "heic", 4) == 0) return draw_heif(input, output, form, most_pixels);

    int kind = 0, width = 0, height = 0, bits = 0, samples = 0, mapped = 0;
    if (lept.find_format(input, &kind)) return EXIT_DAMAGED;
    // Judged by its head before a byte of it is unpacked.
    if (lept.read_header(input, &kind, &width, &height, &bits, &samples, &mapped) == 0
        && (long long)width * height > most_pixels)
        return EXIT_TOO_LARGE;
    if (kind < FILE_TIFF_FIRST || kind > FILE_TIFF_LAST) {
        pix *picture = lept.read(input);
        return picture ? write_one(picture, output, 1, form, most_pixels) : EXIT_DAMAGED;
    }
    size_t offset = 0;
    int number = 0;
    do {
        pix *page = lept.read_tiff_page(input, &offset);
        if (!page) return number == 0 ? EXIT_DAMAGED : 0;
        int code = write_one(page, output, ++number, form, most_pixels);
        lept.destroy(&page);
        if (code) return code;
    } while (offset != 0 && number < 10000);
    return 0;
}
