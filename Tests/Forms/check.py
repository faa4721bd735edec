"""Fills the form of traps in six shapes and asks three viewers and two readers what came out."""
import json
import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

import pypdf
import pypdfium2

import barcodes
import leftward
import traps

QUIRE = sys.argv[1]
# PDFium would fill XFA forms itself, given the chance.
logging.disable(logging.WARNING)
RIVALS = "--rivals" in sys.argv
passed = failed = 0
# While a rival is looked at, its failures are only counted, by trap.
missed = None


def check(title, holds, said="", trap=None):
    global passed, failed
    if missed is not None:
        if not holds and trap is not None:
            missed.setdefault(trap, f"{title.split(': ', 2)[-1]}: {said}")
    elif holds:
        passed += 1
    else:
        failed += 1
        print(f"FAIL  {title}: {said}")


def run(*words, ok=(0,)):
    done = subprocess.run([str(w) for w in words], capture_output=True, timeout=120)
    if done.returncode not in ok:
        raise SystemExit(f"{words[0]} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    return done.stdout


def plain(text):
    text = unicodedata.normalize("NFKC", text)
    return "".join(c for c in text if not c.isspace() and unicodedata.category(c) != "Cf")


def shapes(form, folder):
    """The form as it is, and as other programs would have saved it."""
    yield "plain", form
    for title, words in (("packed", ["--object-streams=generate"]), ("linear", ["--linearize"]),
                         ("locked", ["--encrypt", "", "owner", "256", "--"])):
        run("qpdf", *words, form, folder / f"{title}.pdf")
        yield title, folder / f"{title}.pdf"
    junk = folder / "junk.pdf"
    junk.write_bytes(b"HTTP/1.1 200 OK\r\n\r\n" + form.read_bytes())
    yield "junk before it", junk
    broken = folder / "broken.pdf"
    broken.write_bytes(re.sub(rb"startxref\n\d+", b"startxref\n77", form.read_bytes()))
    yield "broken table", broken


def poppler(path, box):
    left, bottom, right, top = box
    return run("pdftotext", "-r", 72, "-x", int(left), "-y", int(792 - top), "-W", int(right - left), "-H", int(top - bottom),
               path, "-").decode()


class Mutool:
    def __init__(self, path):
        page = run("mutool", "draw", "-q", "-F", "stext", path).decode()
        self.letters = []
        for quad, letter in re.findall(r'<char quad="([^"]+)"[^>]* c="([^"]*)"', page):
            numbers = [float(n) for n in quad.split()]
            letter = re.sub(r"&#x([0-9a-f]+);", lambda m: chr(int(m[1], 16)), letter)
            for entity, character in (("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'")):
                letter = letter.replace(entity, character)
            self.letters.append((sum(numbers[0::2]) / 4, 792 - sum(numbers[1::2]) / 4, letter))

    def text(self, box):
        left, bottom, right, top = box
        return "".join(c for x, y, c in self.letters if left <= x <= right and bottom <= y <= top)


def pictures(path, folder):
    """The page in grey at 72 dots to the inch, as each viewer draws it."""
    stem = folder / "page"
    run("pdftoppm", "-r", 72, "-gray", "-singlefile", path, stem)
    run("mutool", "draw", "-q", "-r", 72, "-F", "pgm", "-o", folder / "mupdf.pgm", path)
    for viewer, file in (("poppler", folder / "page.pgm"), ("mupdf", folder / "mupdf.pgm")):
        head = re.match(rb"P5\s+(?:#.*\s+)?(\d+)\s+(\d+)\s+255\s", file.read_bytes())
        yield viewer, int(head[1]), file.read_bytes()[head.end():]
    document = pypdfium2.PdfDocument(str(path))
    document.init_forms()
    bitmap = document[0].render(scale=1, grayscale=True, may_draw_forms=True)
    rows = bytes(bitmap.buffer)
    yield "pdfium", bitmap.width, b"".join(rows[y * bitmap.stride:y * bitmap.stride + bitmap.width] for y in range(bitmap.height))


def ink(width, picture, box):
    left, bottom, right, top = (round(n) for n in box)
    return sum(255 - picture[y * width + x] for y in range(792 - top + 3, 792 - bottom - 3) for x in range(left + 3, right - 3)) / 255


def value(reader, number):
    """What pypdf finds as the value of a trap, by climbing from the places on the page."""
    wanted = next(t for t in traps.TRAPS if t.number == number).name
    for place in reader.pages[0]["/Annots"]:
        node, names, found, depth = place.get_object(), [], None, 0
        while node is not None and depth < 10:
            if "/T" in node:
                names.insert(0, str(node["/T"]))
            if found is None and "/V" in node:
                found = node["/V"]
            node = node["/Parent"].get_object() if "/Parent" in node else None
            depth += 1
        if ".".join(names) == wanted:
            return found
    return None


def look(title, path, places, empty, folder):
    done = subprocess.run(["qpdf", "--check", str(path)], capture_output=True)
    check(f"{title}: qpdf --check is clean", done.returncode == 0, done.stdout.decode()[-300:] + done.stderr.decode()[-300:])
    reader = pypdf.PdfReader(path)
    if missed is None:
        check(f"{title}: nobody is asked to draw again", "/NeedAppearances" not in reader.trailer["/Root"]["/AcroForm"])
        check(f"{title}: no other copy of the data", "/XFA" not in reader.trailer["/Root"]["/AcroForm"])
    mupdf, pdfium = Mutool(path), pypdfium2.PdfDocument(str(path))
    page = pdfium[0]
    drawn = dict((viewer, (width, picture)) for viewer, width, picture in pictures(path, folder))
    for trap in traps.TRAPS:
        found = value(reader, trap.number)
        if isinstance(found, pypdf.generic.NullObject):
            # A reference to nothing is null, and a null value is none (ISO 32000-2, 7.3.7 and 7.3.10).
            found = None
        said = None if found is None else [str(v) for v in found] if isinstance(found, list) else str(found).removeprefix("/")
        if missed is not None and isinstance(said, str):
            # Which line ends are kept, and what a neighbour's letters do in this place, is held against nobody else.
            said = said.replace("\r\n", "\r").replace("\n", "\r")
        check(f"{title}: {trap.number} {trap.meant}: the value is kept", said == trap.kept, f"{said!r} instead of {trap.kept!r}", trap.number)
        for box, seen in zip(places[trap.number], trap.seen):
            for viewer, (width, picture) in drawn.items():
                before = ink(*empty[viewer], box)
                after = ink(width, picture, box)
                wanted = seen is not False and seen != ""
                shows = after - before > 3
                check(f"{title}: {trap.number} {trap.meant}: {'seen' if wanted else 'not seen'} in {viewer}", shows == wanted,
                      f"ink {before:.1f} before, {after:.1f} after", trap.number)
            if isinstance(seen, bool):
                continue
            texts = {"poppler": poppler(path, box), "mupdf": mupdf.text(box)}
            for viewer, text in texts.items():
                # Not every program turns round what runs left.
                holds = plain(seen) in (plain(text), plain(text)[::-1]) or missed is not None and plain(seen) in plain(text) and seen != ""
                check(f"{title}: {trap.number} {trap.meant}: read in {viewer}", holds, f"{text!r} instead of {seen!r}", trap.number)
    del page


def compare(form, record, places, empty, folder):
    """The same form and values with other programs: which traps each falls into."""
    global missed
    import rivals
    table = []
    for name, fill in [("Quire", None), *rivals.ALL.items()]:
        out = folder / f"rival-{len(table)}.pdf"
        missed = {}
        try:
            if fill is None:
                out = folder / "out0" / "001.pdf"
            else:
                fill(form, record, out)
            look(name, out, places, empty, folder)
            table.append((name, len(traps.TRAPS) - len(missed), dict(missed)))
        except Exception as problem:
            table.append((name, None, {0: f"{type(problem).__name__}: {problem}"}))
        missed = None
    print("\n| Program | right of 34 | falls into |\n|---|---|---|")
    for name, score, falls in table:
        print(f"| {name} | {'no file' if score is None else score} | "
              f"{', '.join(map(str, sorted(falls))) if score is not None else falls[0][:100]} |")
    if "--why" in sys.argv:
        for name, score, falls in table:
            for number, said in sorted(falls.items()):
                print(f"{name}: {number} {said[:160]}")


def scan(folder):
    """Barcodes are what they were given, for whoever scans the page."""
    form, record = folder / "codes-empty.pdf", folder / "codes.json"
    barcodes.build(form)
    record.write_text(json.dumps([{name: text for name, _, _, _, text in barcodes.FIELDS}]))
    for way in ([], ["--flatten"]):
        title = " ".join(["barcodes", *way])
        out = folder / f"codes{len(way)}"
        run(QUIRE, "fill", form, record, "--out", out, "--name", "{row}", "--quiet", "--proof", *way)
        done = subprocess.run(["qpdf", "--check", out / "001.pdf"], capture_output=True)
        check(f"{title}: qpdf --check is clean", done.returncode == 0, done.stdout.decode()[-300:])
        for viewer, found in barcodes.seen(out / "001.pdf", folder):
            for name, _, _, kind, text in barcodes.FIELDS:
                check(f"{title}: {name} is scanned from the picture of {viewer}", (kind, text) in found, found)


def run_left(folder):
    """What runs from right to left is in order, on its side, and in its cells."""
    form, record = folder / "leftward-empty.pdf", folder / "leftward.json"
    leftward.build(form)
    record.write_text(json.dumps([{name: text for name, _, _, text in leftward.FIELDS}]))
    for way in ([], ["--flatten"], ["--merged"]):
        title = " ".join(["right to left", *way])
        out = folder / f"leftward{len(title)}"
        page = out if "--merged" in way else out / "001.pdf"
        target = way + [out] if "--merged" in way else ["--out", out, "--proof", *way]
        run(QUIRE, "fill", form, record, *target, "--name", "{row}", "--quiet")
        done = subprocess.run(["qpdf", "--check", page], capture_output=True)
        check(f"{title}: qpdf --check is clean", done.returncode == 0, done.stdout.decode()[-300:])
        letters = Mutool(page).letters
        for name, _, _, text in leftward.FIELDS:
            box = leftward.PLACES[name]
            if name.startswith(("cells", "digits")):
                found = leftward.cells(letters, box)
                check(f"{title}: {name}: each letter is in its cell", found == leftward.expected(name, text), found)
                continue
            said = poppler(page, box)
            check(f"{title}: {name}: read in order", plain(said) == plain(text), f"{said!r} instead of {text!r}")
            left, right = leftward.reach(letters, box)
            side = name[-1]
            check(f"{title}: {name}: on its side", (side not in "0" or left < 12) and (side not in "2" or right < 12)
                  and (side not in "1" or abs(left - right) < 12), (left, right))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        form = folder / "traps.pdf"
        places = traps.build(form)
        # Traps that draw something when empty are measured against the empty form without its old values.
        empty = dict((viewer, (width, picture)) for viewer, width, picture in pictures(form, folder))
        record = {t.name: t.value for t in traps.TRAPS if t.value is not None}
        (folder / "record.json").write_text(json.dumps([record]))
        for number, (title, path) in enumerate(shapes(form, folder)):
            out = folder / f"out{number}"
            run(QUIRE, "fill", path, folder / "record.json", "--out", out, "--name", "{row}", "--quiet")
            look(title, out / "001.pdf", places, empty, folder)
            if title == "plain":
                check("plain: the form's own bytes come first", (out / "001.pdf").read_bytes().startswith(form.read_bytes()))
        scan(folder)
        run_left(folder)
        if RIVALS:
            compare(form, record, places, empty, folder)
    print(f"forms: {passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


main()
