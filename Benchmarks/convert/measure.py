"""Measures conversions and their rivals. Processor time is that of a server and of everything it started."""
import http.client
import json
import os
import queue
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

QUIRE, WORK = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
TICKS = os.sysconf("SC_CLK_TCK")
os.environ["QUIRE_HOME"] = str(WORK / "desk")
# A few of everything, to see whether the bench itself works; its figures mean nothing then.
SMALL = bool(os.environ.get("SMALL"))


def few(many):
    return max(2, many // 12) if SMALL else many


def say(what, value, more=""):
    print(f"  {what:<52} {value:>14}  {more}", flush=True)


def stat(process):
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    rest = text[text.rindex(")") + 2:].split()
    return int(rest[1]), int(rest[2]), sum(map(int, rest[11:15]))


def family(root):
    """A process and all that came of it, by who began whom."""
    known = {int(name): stat(int(name)) for name in os.listdir("/proc") if name.isdigit()}
    found, grows = {root}, True
    while grows:
        more = {p for p, about in known.items() if about and about[0] in found} - found
        found |= more
        grows = bool(more)
    return {p: known[p] for p in found if known.get(p)}


def cpu(root):
    return sum(about[2] for about in family(root).values()) / TICKS


def private(process, kind="Private_Dirty"):
    """Memory of its own, in MB. Unchanged pages of its program's files are left out: the system drops them when it needs room, and
    the next worker shares them."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(kind + ":")) / 1024


def median(values):
    return statistics.median(values)


def ran(command, **options):
    """Wall and processor time of a command, in seconds."""
    before, start = os.times(), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    after = os.times()
    return time.monotonic() - start, after.children_user + after.children_system - before.children_user - before.children_system


# Papers

def flat(kind, body, styles=""):
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{path}:1.0"' for name, path in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
        "fo": "xsl-fo-compatible", "svg": "svg-compatible", "presentation": "presentation"}.items())
    return (f'<?xml version="1.0"?><office:document {spaces} office:version="1.3" '
            f'office:mimetype="application/vnd.oasis.opendocument.{kind}"><office:automatic-styles>{styles}'
            f'</office:automatic-styles><office:body>{body}</office:body></office:document>')


def words(count, dice):
    pool = "the loom engine weaves algebraical patterns just as flowers and leaves card analytical table of numbers".split()
    return " ".join(dice.choice(pool) for _ in range(count))


def papers():
    """A letter, a report of ten pages, fifteen slides and a workbook of three sheets."""
    dice = random.Random(7)
    p = lambda text: f"<text:p>{text}</text:p>"  # noqa: E731
    letter = "".join(p(words(60, dice)) for _ in range(4))
    report = "".join(f'<text:h text:outline-level="1">Part {n}</text:h>' + "".join(p(words(90, dice)) for _ in range(4))
                     for n in range(12))
    cells = lambda n: "".join(  # noqa: E731
        "<table:table-row>" + "".join(f'<table:table-cell office:value-type="float" office:value="{dice.randint(1, 9999)}">'
                                      f"<text:p>{dice.randint(1, 9999)}</text:p></table:table-cell>" for _ in range(8))
        + "</table:table-row>" for _ in range(n))
    sheets = "".join(f'<table:table table:name="Sheet {n}">{cells(300)}</table:table>' for n in range(3))
    slides = "".join(
        f'<draw:page draw:name="s{n}"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="22cm" svg:height="12cm"><draw:text-box>'
        + "".join(p(words(12, dice)) for _ in range(8)) + "</draw:text-box></draw:frame></draw:page>" for n in range(15))
    made = {}
    for name, kind, ending, to, body in [
        ("letter", "text", "fodt", "docx", f"<office:text>{letter}</office:text>"),
        ("report", "text", "fodt", "docx", f"<office:text>{report}</office:text>"),
        ("deck", "presentation", "fodp", "pptx", f"<office:presentation>{slides}</office:presentation>"),
        ("sheet", "spreadsheet", "fods", "xlsx", f"<office:spreadsheet>{sheets}</office:spreadsheet>"),
    ]:
        source = WORK / f"{name}.{ending}"
        source.write_text(flat(kind, body))
        subprocess.run([QUIRE, "convert", source, "--to", to, "--out", WORK / f"{name}.{to}", "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        made[name] = WORK / f"{name}.{to}"
    return made


# Servers

class Quire:
    def __init__(self, *options):
        self.options = options or ("--warm",)

    def __enter__(self):
        self.process = subprocess.Popen([QUIRE, "gotenberg", "--port", "0", "--json", "--time", "300", *self.options],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        told = b""
        while not told.rstrip().endswith(b"}"):
            told += self.process.stdout.readline()
        self.port = json.loads(told)["port"]
        self.id = self.process.pid
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def ask(self, route, files, fields=()):
        boundary, body = uuid.uuid4().hex, b""
        for name, value in dict(fields).items():
            body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, data in files:
            body += (f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n').encode() + data + b"\r\n"
        body += f"--{boundary}--\r\n".encode()
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        link.request("POST", route, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        answer = link.getresponse()
        data = answer.read()
        assert answer.status == 200 and data[:4] in (b"%PDF", b"\x89PNG"), (answer.status, data[:300])
        return data

    def office(self, path):
        return self.ask("/forms/libreoffice/convert", [(path.name, path.read_bytes())])


class Uno:
    """unoserver: LibreOffice kept running, one paper at a time."""

    def __init__(self, port=2902):
        self.port = port
        self.home, self.out = f"{WORK}/uno-{port}", WORK / f"uno-{port}.pdf"

    def __enter__(self):
        # Its libraries come from two sides: LibreOffice's from Debian, its own from beside the checkout.
        places = ":".join(map(str, Path(".venv-rivals/lib").glob("python3*/site-packages")))
        world = dict(os.environ, PYTHONPATH=str(Path(places).resolve()) if places else "")
        if subprocess.run(["/usr/bin/python3", "-c", "import uno, unoserver"], capture_output=True, env=world).returncode:
            raise LookupError("unoserver is missing: bin/setup --bench")
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "unoserver.server", "--port", str(self.port + 1), "--uno-port", str(self.port),
             "--user-installation", self.home],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, env=world)
        self.id = self.process.pid
        from xmlrpc.client import ServerProxy
        self.server = ServerProxy(f"http://127.0.0.1:{self.port + 1}", allow_none=True)
        for _ in range(120):
            try:
                self.server.info()
                return self
            except OSError:
                time.sleep(0.25)
        raise LookupError("unoserver did not start")

    def __exit__(self, *_):
        # Told to end, it waits for a LibreOffice that does not hear it.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def office(self, path):
        self.server.convert(str(path), None, str(self.out), "pdf", None, [], True, None)
        return self.out.read_bytes()

    def command(self, path):
        """As people use it."""
        subprocess.run([".venv-rivals/bin/python", ".venv-rivals/bin/unoconvert", "--port", str(self.port + 1), path, self.out], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Socket:
    """LibreOffice kept running, and for each paper the smallest program that tells it over a socket what to do."""

    port = 2904
    PROGRAM = """
import sys, uno
from com.sun.star.beans import PropertyValue
here = uno.getComponentContext()
resolver = here.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", here)
there = resolver.resolve("uno:socket,host=127.0.0.1,port=PORT;urp;StarOffice.ComponentContext")
desktop = there.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", there)
said = lambda name, value: PropertyValue(name, 0, value, 0)
paper = desktop.loadComponentFromURL("file://" + sys.argv[1], "_blank", 0, (said("Hidden", True),))
paper.storeToURL("file://" + sys.argv[2], (said("FilterName", sys.argv[3]),))
paper.close(True)
"""
    FILTERS = {".docx": "writer_pdf_Export", ".pptx": "impress_pdf_Export", ".xlsx": "calc_pdf_Export"}

    def __enter__(self):
        (WORK / "way.py").write_text(self.PROGRAM.replace("PORT", str(self.port)))
        self.process = subprocess.Popen(
            ["soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{WORK}/way-{self.port}",
             f"--accept=socket,host=127.0.0.1,port={self.port};urp;"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.id = self.process.pid
        for _ in range(120):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.25)
        raise LookupError("soffice did not listen")

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def office(self, path):
        out = WORK / "way.pdf"
        out.unlink(missing_ok=True)
        # Its bridge now and then crashes on its way out, when the paper is written already.
        subprocess.run(["/usr/bin/python3", WORK / "way.py", path, out, self.FILTERS[path.suffix]])
        assert out.exists()


class Unoconv(Socket):
    """The same, told by the program whose descendant Gotenberg starts for each paper."""

    # Its own, as the one before takes a moment to go.
    port = 2905

    def __enter__(self):
        if not os.path.exists("/usr/bin/unoconv"):
            raise LookupError("unoconv is missing: bin/setup --bench")
        return super().__enter__()

    def office(self, path):
        out = WORK / "unoconv.pdf"
        out.unlink(missing_ok=True)
        # Debian's Python, which is the one that has LibreOffice's part.
        subprocess.run(["/usr/bin/python3", "/usr/bin/unoconv", "--no-launch", "--server", "127.0.0.1", "--port", str(self.port), "--format", "pdf",
                        "--output", out, path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert out.exists()


def timed(server, ask, path, count):
    """Median wall and mean processor time of one paper, after one that warms; that of commands that ask counts as well."""
    def used():
        return cpu(server.id) + os.times().children_user + os.times().children_system

    ask(path)
    walls, before = [], used()
    for _ in range(count):
        start = time.monotonic()
        ask(path)
        walls.append(time.monotonic() - start)
    return median(walls), (used() - before) / count


# Parts

def office():
    made = papers()
    costs = {}
    for name, server, way in [("quire", Quire, Quire.office), ("unoserver", Uno, Uno.command), ("its server alone", Uno, Uno.office),
                              ("unoconv, as Gotenberg does it", Unoconv, Unoconv.office), ("soffice over a socket", Socket, Socket.office)]:
        try:
            with server() as running:
                for paper, path in made.items():
                    costs[name, paper] = timed(running, lambda path: way(running, path), path, few(8))
        except LookupError as why:
            print(f"  {why}")
    for paper, path in made.items():
        cold = [ran(["soffice", "--headless", f"-env:UserInstallation=file://{WORK}/cold", "--convert-to", "pdf", "--outdir", WORK, path])
                for _ in range(3)][1:]
        costs["cold soffice", paper] = median([w for w, _ in cold]), median([c for _, c in cold])
        wall, used = costs["quire", paper]
        print(f"  {path.name}: {used * 1000:.0f} ms of processor time, {wall * 1000:.0f} ms on the wall")
        for rival, target in [("unoserver", 0.5 if paper == "letter" else 0.7), ("its server alone", None),
                              ("unoconv, as Gotenberg does it", None if paper == "letter" else 0.65), ("soffice over a socket", None),
                              ("cold soffice", None)]:
            if (rival, paper) in costs:
                their_wall, theirs = costs[rival, paper]
                say(f"    processor time, of {rival}", f"{used / theirs:.2f}",
                    f"{f'target {target}; ' if target else ''}{theirs * 1000:.0f} ms, wall {their_wall * 1000:.0f} ms")


def mixed():
    # The longest first and the shortest last: what is asked is the pace, not how long one waits alone for a last long one.
    made = list(papers().values())[::-1]
    todo = [made[n % len(made)] for n in range(few(40))]

    def paced(hands, ask):
        with ThreadPoolExecutor(hands) as pool:
            start = time.monotonic()
            list(pool.map(ask, todo))
            return time.monotonic() - start

    def turns(count, ask):
        """The time of one and of two hands, in turns, as the machine's own speed goes up and down."""
        walls = [(paced(2, ask), paced(1, ask)) for _ in range(count)]
        return [median(times) for times in zip(*walls)]

    with Quire() as server:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(server.office, made * 2))
        two, one = turns(7, server.office)
    say("40 mixed papers: two workers, times one", f"{one / two:.2f}", f"target 1.8; {two:.1f} and {one:.1f} s")
    try:
        with Uno() as rival, Uno(2906) as second:
            for path in made * 2:
                rival.office(path)
                second.office(path)
            # What two LibreOffices beside each other that know nothing of each other reach on this machine.
            free = queue.SimpleQueue()
            for each in rival, second:
                free.put(each)

            def either(path):
                each = free.get()
                try:
                    each.office(path)
                finally:
                    free.put(each)

            pair, alone = turns(3, either)
            say("40 mixed papers: two unoservers, times one", f"{alone / pair:.2f}", f"{pair:.1f} and {alone:.1f} s")
            say("40 mixed papers: throughput, times its server's alone", f"{alone / two:.2f}", f"{alone:.1f} s, one at a time")
            wall = paced(1, rival.command)
            say("40 mixed papers: throughput, times unoserver's", f"{wall / two:.2f}", f"target 3; {wall:.1f} s, one at a time")
    except LookupError as why:
        print(f"  {why}")


class Pipe:
    """Chromium alone, over the same pipe, told only what is needed to print."""

    def __init__(self):
        ours, theirs = os.pipe(), os.pipe()
        # The same as Quire takes: the one without windows opens a page much faster.
        program = shutil.which("/usr/lib/chromium/chromium-headless-shell") or shutil.which("/usr/lib/chromium/chromium") or shutil.which("chromium")
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$0" "$@" 3<&{theirs[0]} 4>&{ours[1]}', program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe", f"--user-data-dir={WORK}/pipe", "about:blank"],
            pass_fds=(theirs[0], ours[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.reading, self.writing, self.number, self.rest = ours[0], theirs[1], 0, b""
        self.id = self.process.pid

    def message(self):
        while b"\0" not in self.rest:
            self.rest += os.read(self.reading, 1 << 20)
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, until=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        answer, seen = None, until is None
        while answer is None or not seen:
            got = self.message()
            if got.get("id") == self.number:
                answer = got.get("result", {})
            seen = seen or got.get("method") == until
        return answer

    def print(self, address):
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", session)
        self.call("Page.navigate", session, "Page.loadEventFired", url=address)
        data = self.call("Page.printToPDF", session)["data"]
        self.call("Target.closeTarget", targetId=target)
        self.call("Target.disposeBrowserContext", browserContextId=context)
        return data

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def html():
    dice = random.Random(3)
    page = "<!doctype html><title>Report</title><style>body{font:12pt serif}table{border-collapse:collapse}td{border:1px solid}</style>"
    page += "".join(f"<h2>Part {n}</h2><p>{words(120, dice)}</p><table>" + "".join(
        "<tr>" + "".join(f"<td>{dice.randint(1, 999)}</td>" for _ in range(6)) + "</tr>" for _ in range(12)) + "</table>" for n in range(8))
    source = WORK / "page.html"
    source.write_text(page)
    with Quire() as server:
        ask = lambda: server.ask("/forms/chromium/convert/html", [("index.html", page.encode())])  # noqa: E731
        ours = []
        for _ in range(4 + few(10)):
            start = time.monotonic()
            ask()
            ours.append(time.monotonic() - start)
    alone, browser = [], Pipe()
    for _ in range(4 + few(10)):
        start = time.monotonic()
        browser.print(source.as_uri())
        alone.append(time.monotonic() - start)
    browser.close()
    cold = [ran(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={WORK}/cold-browser",
                 f"--print-to-pdf={WORK}/cold.pdf", source.as_uri()])[0] for _ in range(4)][1:]
    wall = median(ours[4:])
    say("a page to PDF, of Chromium alone over its pipe", f"{wall / median(alone[4:]):.2f}",
        f"target 1.2; {wall * 1000:.0f} and {median(alone[4:]) * 1000:.0f} ms")
    say("… chromium --print-to-pdf, times ours", f"{median(cold) / wall:.1f}", f"target 5; {median(cold) * 1000:.0f} ms")


def photos():
    from PIL import Image
    folder = WORK / "photos"
    folder.mkdir()
    dice = random.Random(5)
    small = Image.frombytes("RGB", (400, 300), dice.randbytes(360_000))
    data = None
    for number in range(few(100)):
        path = folder / f"{number:03}.jpg"
        if data is None:
            small.resize((4000, 3000), Image.BICUBIC).save(path, quality=88)
            data = path.read_bytes()
        # A comment of its own, so that no two are alike.
        path.write_bytes(data[:2] + b"\xff\xfe\0\x06" + f"{number:04}".encode() + data[2:])
    files = sorted(map(str, folder.iterdir()))
    ours = [ran([QUIRE, "convert", *files, "--out", WORK / "ours.pdf", "--force", "--quiet"]) for _ in range(4)][1:]
    if not shutil.which("img2pdf"):
        return print("  img2pdf is missing: bin/setup --bench")
    theirs = [ran(["img2pdf", *files, "-o", WORK / "theirs.pdf"]) for _ in range(4)][1:]
    size = sum(map(os.path.getsize, files))
    wall, rival = median([w for w, _ in ours]), median([w for w, _ in theirs])
    say("100 photos to one PDF, of img2pdf's time", f"{wall / rival:.2f}",
        f"target 1.5; {wall:.2f} and {rival:.2f} s; bytes beyond the pictures {os.path.getsize(WORK / 'ours.pdf') - size} and {os.path.getsize(WORK / 'theirs.pdf') - size}")


def scan(pages):
    """Pages that are pictures of words."""
    dice = random.Random(11)
    source = WORK / "words.html"
    source.write_text("<style>body{font:14pt serif}</style>" + "".join(
        f"<div style='break-after:page'>{''.join(f'<p>{words(70, dice)}</p>' for _ in range(6))}</div>" for _ in range(pages)))
    subprocess.run([QUIRE, "convert", source, "--out", WORK / "words.pdf", "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    folder = WORK / "scan"
    folder.mkdir(exist_ok=True)
    subprocess.run(["pdftoppm", "-r", "200", "-gray", "-png", WORK / "words.pdf", folder / "p"], check=True)
    files = sorted(map(str, folder.iterdir()))[:pages]
    subprocess.run([QUIRE, "convert", *files, "--out", WORK / "scan.pdf", "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return WORK / "scan.pdf", files


def ocr():
    paper, files = scan(few(20))
    ours, used = ran([QUIRE, "convert", paper, "--then", "ocr=eng", "--out", WORK / "found.pdf", "--force", "--quiet"])
    single = dict(os.environ, OMP_THREAD_LIMIT="1")
    start = time.monotonic()
    for path in files:
        subprocess.run(["tesseract", path, WORK / "t", "-l", "eng", "--dpi", "200", "pdf"], check=True, env=single, capture_output=True)
    theirs = time.monotonic() - start
    say("OCR of 20 pages: tesseract page after page, times ours", f"{theirs / ours:.2f}", f"target 1.8; {ours:.1f} and {theirs:.1f} s")
    program = next((p for p in [".venv-rivals/bin/ocrmypdf", shutil.which("ocrmypdf")] if p and os.path.exists(p)), None)
    if not program:
        return print("  ocrmypdf is missing: bin/setup --bench")
    wall, _ = ran([program, "-l", "eng", "--output-type", "pdf", "-O0", paper, WORK / "rival.pdf"])
    say("OCR of 20 pages: ocrmypdf, times ours", f"{wall / ours:.2f}", f"target 1; {wall:.1f} s")


def pages():
    source = WORK / "long.html"
    dice = random.Random(2)
    source.write_text("".join(f"<div style='break-after:page'><h1>Sheet {n}</h1><p>{words(200, dice)}</p></div>" for n in range(few(500))))
    paper = WORK / "long.pdf"
    subprocess.run([QUIRE, "convert", source, "--out", paper, "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    ours, theirs = [], []
    for number in range(2):
        (WORK / f"o{number}").mkdir()
        (WORK / f"t{number}").mkdir()
        ours.append(ran([QUIRE, "convert", paper, "--to", "jpg", "--dpi", "72", "--out", f"{WORK}/o{number}/", "--quiet"]))
        theirs.append(ran(["pdftoppm", "-jpeg", "-r", "72", paper, WORK / f"t{number}/p"]))
    assert len(list((WORK / "o0").iterdir())) == few(500)
    wall, rival = min(w for w, _ in ours), min(w for w, _ in theirs)
    say("pictures of 500 pages, of pdftoppm's time", f"{wall / rival:.2f}", f"target 1.2; {wall:.1f} and {rival:.1f} s")


def memory():
    made = papers()
    rest = 5
    with Quire(f"--chromium-idle-shutdown-timeout={rest}s", f"--libreoffice-idle-shutdown-timeout={rest}s") as server:
        before = sum(map(private, family(server.id)))
        say("nothing converted yet: engines running", f"{len(family(server.id)) - 1}", f"target 0; Quire itself {before:.0f} MB")
        for _ in range(3):
            for path in made.values():
                server.office(path)
            server.ask("/forms/chromium/convert/html", [("index.html", b"<h1>Dear Ada</h1>")])

        def named(word):
            return [p for p in family(server.id) if word in Path(f"/proc/{p}/comm").read_text()]

        for what, found, join, target in [("a LibreOffice worker", named("quire-engine"), max, 150),
                                          ("Chromium with all its processes", named("chrom"), sum, 250)]:
            own, files = (join([private(p, kind) for p in found] or [0]) for kind in ("Private_Dirty", "Private_Clean"))
            say(f"{what}: memory of its own", f"{own:.0f} MB", f"target {target}; and {files:.0f} MB of its program's files")
        load = [made[name] for name in made] * 8
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(server.office, load))
        high = sum(map(private, family(server.id)))
        # Pools end when nobody has needed them for a while; a minute, unless told otherwise as here.
        time.sleep(rest * 2 + 3)
        left = family(server.id)
        say("after a load and a rest: engines running", f"{len(left) - 1}",
            f"target 0; everything together {sum(map(private, left)):.0f} MB, {high:.0f} MB after the load, {before:.0f} MB at the start")


PARTS = {part.__name__: part for part in [office, mixed, html, photos, ocr, pages, memory]}
for name in sys.argv[3:] or PARTS:
    PARTS[name]()
