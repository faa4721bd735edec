"""One call of the command, and what came of it as other programs see it."""
import io, json, os, re, shutil, subprocess, sys, tempfile
from pathlib import Path

import pypdf
import pypdfium2

QUIRE = sys.argv[1]
HERE = {**os.environ, "QUIRE_HOME": "/nonexistent"}
SENTENCES = []


def holds(*options, needs=()):
    """A sentence, and the options or steps it proves; it needs engines that may be missing."""
    def remember(function):
        SENTENCES.append((function, options, needs))
        return function
    return remember


class Folder:
    """A folder with files in it, where the command is called."""

    def __init__(self, **files):
        self.place = Path(tempfile.mkdtemp(prefix="quire-convert-"))
        for name, content in files.items():
            self.put(name.replace("_", "."), content)

    def put(self, name, content):
        (self.place / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def convert(self, *words, before=()):
        """What stands `before` begins the command in a world of its own."""
        return Outcome(subprocess.run([*before, QUIRE, "convert", *map(str, words), "--json"], cwd=self.place, env=HERE,
                                      capture_output=True, text=True, timeout=300))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.place, ignore_errors=True)


class Outcome:
    def __init__(self, process):
        self.code, self.said = process.returncode, process.stderr
        told = json.loads(process.stdout) if process.stdout.strip() else {}
        self.report = told.get("report", {})
        self.files = [Path(file["file"]) for file in told.get("files", [])]
        self.failures = told.get("failures", [])
        # At once: the next call may put something else in their place.
        self._bytes = [file.read_bytes() for file in self.files]

    @property
    def names(self):
        assert self.code == 0, self.said
        return [file.name for file in self.files]

    @property
    def bytes(self):
        assert self.code == 0 and len(self.files) == 1, (self.code, self.said, self.files)
        return self._bytes[0]

    @property
    def text(self):
        return self.bytes.decode("utf-8-sig")

    @property
    def pdf(self):
        """As pypdf reads it."""
        return pypdf.PdfReader(io.BytesIO(self.bytes))

    def seen(self, password=None):
        """As PDFium draws it."""
        return pypdfium2.PdfDocument(self.bytes, password=password)

    def words(self, password=None):
        return [" ".join(page.get_textpage().get_text_range().split()) for page in self.seen(password)]

    @property
    def size(self):
        box = self.pdf.pages[0].mediabox
        return round(float(box.width)), round(float(box.height))

    def colours(self, page=0, scale=1):
        """Its pixels as rows of red, green and blue."""
        return self.seen()[page].render(scale=scale).to_numpy()[:, :, :3][:, :, ::-1].astype(int)

    def red(self, page=0):
        """How many of its points are red, at 72 to an inch."""
        pixels = self.colours(page)
        return int(((pixels[:, :, 0] > 200) & (pixels[:, :, 1] < 60) & (pixels[:, :, 2] < 60)).sum())


def options_told():
    """The options and steps the command's own help names."""
    told = subprocess.run([QUIRE, "convert", "--help"], capture_output=True, text=True, env={**HERE, "COLUMNS": "200"}).stdout
    options = set(re.findall(r"^ +(?:-\w, +)?--([a-z-]+)", told.split("Options\n")[1].split("Options of every command")[0], re.M))
    flat = " ".join(told.split())
    steps = re.search(r"in that order: (.+?), …\.", flat).group(1)
    return options, {re.split("[=…]", word.strip())[0] for word in re.split(r",(?! *\d)", steps) if re.match("[a-z]", word.strip())}
