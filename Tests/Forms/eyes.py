"""How other programs see a filled form: qpdf, poppler, MuPDF and pypdf read its values and the letters on its pages,
poppler draws it."""
import html
import json
import pathlib
import re
import subprocess
import unicodedata

import numpy
import pypdf
import pypdf.generic

HERE = pathlib.Path(__file__).parent
# poppler's own library comes with Debian's Python, not with the one the tests are made with.
SYSTEM_PYTHON = "/usr/bin/python3"


class Trouble(Exception):
    pass


def run(*words, ok=(0,), seconds=900):
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Trouble(f"{words[0]} took longer than {seconds} seconds")
    if done.returncode not in ok:
        raise Trouble(f"{words[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}")
    return done.stdout


def plain(text):
    """What counts of a text: no blanks, no marks that act without being seen, ligatures and presentation forms undone."""
    text = unicodedata.normalize("NFKC", text).replace("\ufffd", "")
    return "".join(c for c in text if not c.isspace() and unicodedata.category(c) not in ("Cf", "Cc"))


class Page:
    """Where a place of the page's own coordinates is seen: from the top left corner, turned, cut to its crop box unless told otherwise."""

    def __init__(self, page, cut=True):
        media, crop = [[float(n) for n in box] for box in (page.mediabox, page.cropbox if cut else page.mediabox)]
        self.left, self.bottom = max(media[0], crop[0]), max(media[1], crop[1])
        self.right, self.top = min(media[2], crop[2]), min(media[3], crop[3])
        if self.right <= self.left or self.top <= self.bottom:
            self.left, self.bottom, self.right, self.top = media
        self.turn = (int(page.get("/Rotate", 0) or 0) % 360 + 360) % 360
        self.unit = float(page.get("/UserUnit", 1) or 1)

    def point(self, x, y):
        width, height = self.right - self.left, self.top - self.bottom
        x, y = x - self.left, self.top - y
        return {0: (x, y), 90: (height - y, x), 180: (width - x, height - y), 270: (y, width - x)}.get(self.turn, (x, y))

    def box(self, rectangle):
        (a, b), (c, d) = self.point(*rectangle[:2]), self.point(*rectangle[2:])
        return min(a, c), min(b, d), max(a, c), max(b, d)


class Letters:
    """Letters with the places of their middles, page by page."""

    def __init__(self, pages):
        self.pages = pages
        self._places = {}

    def places(self, page):
        """Where on a page which letter stands; asked for once for each field."""
        if page not in self._places:
            self._places[page] = {(round(x), round(y), c) for x, y, c in self.pages[page]}
        return self._places[page]

    def within(self, page, box, without=None):
        if page >= len(self.pages):
            return ""
        left, top, right, bottom = box
        old = without.places(page) if without is not None and page < len(without.pages) else ()
        return "".join(c for x, y, c in self.pages[page]
                       if left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1 and (round(x), round(y), c) not in old)


def mupdf_letters(path, units):
    text = run("mutool", "draw", "-q", "-F", "stext", path).decode(errors="replace")
    pages = []
    for part in text.split("<page ")[1:]:
        letters = []
        unit = units[len(pages)] if len(pages) < len(units) else 1
        for quad, letter in re.findall(r'<char quad="([^"]+)"[^>]* c="([^"]*)"', part):
            numbers = [float(n) for n in quad.split()]
            letter = re.sub(r"&#x([0-9a-f]+);", lambda m: chr(int(m[1], 16)), letter)
            for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
                letter = letter.replace(entity, character)
            letters.append((sum(numbers[0::2]) / 4 / unit, sum(numbers[1::2]) / 4 / unit, letter))
        pages.append(letters)
    return Letters(pages)


def poppler_words(path):
    """The words of each page with the places of their middles."""
    text = run("pdftotext", "-bbox", "-cropbox", path, "-").decode(errors="replace")
    pages = []
    for part in text.split("<page ")[1:]:
        words = []
        for a, b, c, d, word in re.findall(r'<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">(.*?)</word>', part, re.S):
            words.append(((float(a) + float(c)) / 2, (float(b) + float(d)) / 2, html.unescape(word)))
        pages.append(words)
    return Letters(pages)


def poppler_within(path, page, box):
    """What poppler reads in one rectangle of a page; slower, but exact where words of neighbours run together."""
    left, top, right, bottom = box
    return run("pdftotext", "-f", page + 1, "-l", page + 1, "-r", 72, "-x", int(left), "-y", int(top), "-W", round(right - left) + 1,
               "-H", round(bottom - top) + 1, path, "-").decode(errors="replace")


def poppler_values(path):
    """The fields with their values, through poppler's own library."""
    fields = {}
    for name, value in json.loads(run(SYSTEM_PYTHON, HERE / "poppler_values.py", pathlib.Path(path).absolute())):
        fields.setdefault(name, []).append(value)
    return fields


def qpdf_values(path):
    found = json.loads(run("qpdf", "--json=2", "--json-key=acroform", "--json-key=qpdf", path, ok=(0, 3)))
    objects = found["qpdf"][1]
    values = {}
    for field in found["acroform"]["fields"]:
        value = field["value"]
        if isinstance(value, str) and f"obj:{value}" in objects:
            value = objects[f"obj:{value}"].get("value")
        values.setdefault(field["fullname"], []).append(from_qpdf(value))
    return values


def from_qpdf(value):
    if isinstance(value, list):
        return [from_qpdf(v) for v in value]
    if isinstance(value, str) and value.startswith("u:"):
        return value[2:]
    if isinstance(value, str) and value.startswith("b:"):
        return bytes.fromhex(value[2:]).decode("latin-1")
    # Names keep their stroke in qpdf's JSON, texts have a letter before them.
    return value.removeprefix("n:").removeprefix("/") if isinstance(value, str) else value


def mupdf_values(path):
    """Each place's rectangle as MuPDF gives it, with the field's kind and value."""
    lines = run("mutool", "run", HERE / "values.js", path).decode(errors="replace").split("\n")
    found = []
    for line in lines:
        parts = line.split("\t", 3)
        if len(parts) == 4:
            found.append((int(parts[0]), [float(n) for n in parts[1].split(",")], parts[2], json.loads(parts[3])))
    return found


def pypdf_values(reader):
    """Values by full name, by climbing from the places on the pages."""
    values = {}
    for page in reader.pages:
        for place in page.get("/Annots") or []:
            node = place.get_object()
            if not hasattr(node, "get") or node.get("/Subtype") != "/Widget":
                continue
            names, found, depth = [], None, 0
            while node is not None and depth < 40:
                if "/T" in node:
                    names.insert(0, str(node["/T"]))
                if found is None and "/V" in node:
                    found = node["/V"].get_object()
                    # A value that is null is as good as none (ISO 32000-2, 7.3.9).
                    found = None if isinstance(found, pypdf.generic.NullObject) else found
                node = node["/Parent"].get_object() if "/Parent" in node else None
                depth += 1
            if isinstance(found, list):
                found = [str(v) for v in found]
            elif hasattr(found, "get_data"):
                found = found.get_data().decode("utf-8", "replace")
            elif found is not None:
                found = str(found).removeprefix("/") if isinstance(found, pypdf.generic.NameObject) else str(found)
            values.setdefault(".".join(names), []).append(found)
    return values


class Picture:
    """A page in grey, and how much ink lies where, in full dots."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        head = re.match(rb"P5\s+(?:#.*\s+)?(\d+)\s+(\d+)\s+255\s", data)
        self.width, self.height = int(head[1]), int(head[2])
        self.grey = numpy.frombuffer(data, numpy.uint8, self.width * self.height, head.end()).reshape(self.height, self.width)

    def part(self, box):
        left, top, right, bottom = (max(0, round(n)) for n in box)
        return self.grey[top:bottom, left:right].astype(int)

    def differs(self, other, box):
        """How much ink is elsewhere."""
        mine, others = self.part(box), other.part(box)
        # Pages of two sizes have this much in common.
        high, wide = min(len(mine), len(others)), min(mine.shape[1], others.shape[1])
        return abs(mine[:high, :wide] - others[:high, :wide]).sum() / 255

    def lacks(self, other, box):
        """How much more or less ink there is, when the other picture may be moved by a dot."""
        def ink(picture, right=0, down=0):
            return (255 - picture.part((box[0] + right, box[1] + down, box[2] + right, box[3] + down))).sum() / 255
        mine = ink(self)
        return min(abs(mine - ink(other, x, y)) for x in (-1, 0, 1) for y in (-1, 0, 1))

    def same(self, other):
        return numpy.array_equal(self.grey, other.grey)


def pictures(path, stem, dots=72):
    run("pdftoppm", "-cropbox", "-r", dots, "-gray", path, stem)
    folder = pathlib.Path(stem).parent
    return [Picture(p) for p in sorted(folder.glob(f"{pathlib.Path(stem).name}-*.pgm"))]
