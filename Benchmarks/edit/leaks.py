"""What can still be read of a paper, by programs that know nothing of Quire: poppler, MuPDF, PyMuPDF, qpdf and pikepdf."""
import re
import subprocess
import warnings
import zlib

import pikepdf
import pymupdf

SHOWS = {b"Tj", b"TJ", b"'", b'"'}
DRAWINGS = {"", "/XObject", "/Pattern"}
# Streams that are no drawing are read as if they were, and are none.
warnings.filterwarnings("ignore", module="pikepdf")


def output(*command):
    return subprocess.run(command, capture_output=True).stdout


def pages_read(path):
    """What stands on the pages, as three programs read it."""
    yield "pdftotext", output("pdftotext", "-q", path, "-").decode("utf-8", "replace")
    yield "pdftotext -raw", output("pdftotext", "-q", "-raw", path, "-").decode("utf-8", "replace")
    yield "mutool", output("mutool", "draw", "-q", "-F", "txt", "-o", "-", path).decode("utf-8", "replace")
    with pymupdf.open(path) as paper:
        yield "pymupdf", "\n".join(page.get_text() for page in paper)
        yield "pymupdf: beside the pages", repr(paper.metadata) + repr(paper.get_toc(simple=False)) + "\n".join(
            repr(note.info) + repr(getattr(note, "field_value", "")) for page in paper for note in page.annots() or ())
        yield "pymupdf: fields", "\n".join(
            repr((field.field_name, field.field_label, field.field_value)) for page in paper for field in page.widgets() or ())


def strings(thing, depth=0):
    """Every string in an object that is no stream; names of fonts and tags are nobody's secret."""
    if depth > 30:
        return
    if isinstance(thing, pikepdf.String):
        yield str(thing)
        yield bytes(thing).decode("latin-1")
    elif isinstance(thing, pikepdf.Array):
        for one in thing:
            if not one_object(one):
                yield from strings(one, depth + 1)
    elif isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
        for name, one in thing.items():
            # A font lists the letters it has by their names, and “trademark” is one of them.
            if name != "/CharSet" and not one_object(one):
                yield from strings(one, depth + 1)


def one_object(thing):
    """It is looked at by itself."""
    return getattr(thing, "is_indirect", False)


def drawn(stream):
    """The letters of a drawing, put together as they are shown."""
    try:
        for operands, operator in pikepdf.parse_content_stream(stream):
            if bytes(operator) in SHOWS:
                for operand in operands:
                    for one in operand if isinstance(operand, pikepdf.Array) else [operand]:
                        if isinstance(one, pikepdf.String):
                            yield bytes(one).decode("latin-1")
            else:
                for operand in operands:
                    if isinstance(operand, pikepdf.Object):
                        yield from strings(operand)
    except (pikepdf.PdfError, TypeError, UnicodeDecodeError):
        return


def unpacked(data):
    for start in re.finditer(rb"stream\r?\n", data):
        try:
            yield zlib.decompressobj().decompress(data[start.end():])
        except zlib.error:
            pass


def inside(path):
    """Everything the file holds: each string and each stream, unpacked, whether anything leads to it or not."""
    with open(path, "rb") as given:
        data = given.read()
    # Older states of the file as well, to which nothing leads any more.
    texts, streams = [], [data, *unpacked(data)]
    with pikepdf.open(path) as paper:
        for thing in paper.objects:
            texts.extend(strings(thing))
            if isinstance(thing, pikepdf.Stream):
                try:
                    streams.append(thing.read_bytes())
                except pikepdf.PdfError:
                    streams.append(thing.read_raw_bytes())
                if str(thing.get("/Subtype", "/Form")) == "/Form" and str(thing.get("/Type", "")) in DRAWINGS and "/Length1" not in thing:
                    texts.append("".join(drawn(thing)))
        texts.extend(strings(paper.trailer))
    streams.append(output("qpdf", "--qdf", "--object-streams=disable", path, "-"))
    return texts, b"\n".join(streams)


def spellings(secret):
    """How a text may be written down in a file."""
    plain, wide = secret.encode(), secret.encode("utf-16-be")
    yield from (plain, wide, plain.hex().encode(), plain.hex().upper().encode(), wide.hex().encode(), wide.hex().upper().encode())
    yield secret.encode("utf-16-le")
    yield b"".join(b"\\000" + bytes([letter]) for letter in plain)


def leaks(path, secrets):
    """The secrets that can still be read, and who reads them."""
    found = {}
    for reader, text in pages_read(path):
        packed = "".join(text.split())
        for secret in secrets:
            if secret in packed:
                found.setdefault(secret, set()).add(reader)
    texts, data = inside(path)
    told = "\n".join("".join(text.split()) for text in texts)
    for secret in secrets:
        if secret in told:
            found.setdefault(secret, set()).add("pikepdf")
        if any(spelling in data for spelling in spellings(secret)):
            found.setdefault(secret, set()).add("bytes")
    return found


def word_leaks(path, word):
    """The same for a word of a paper that somebody else made: as a whole word, on its pages and in its strings."""
    whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    found = {reader for reader, text in pages_read(path) if whole.search(text)}
    texts, _ = inside(path)
    if any(whole.search(text) for text in texts):
        found.add("pikepdf")
    return found
