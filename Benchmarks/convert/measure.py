"""Measures conversions and their rivals. Processor time is that of a server and of everything it started."""
import http.client
import json
import os
import random
import shutil
import signal
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


def private(process):
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private")) / 1024


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
        subprocess.run([QUIRE, "convert", source, "--to", to, "--out", WORK / f"{name}.{to}", "--force", "--quiet"], check=True)
        made[name] = WORK / f"{name}.{to}"
    return made


# Servers

class Quire:
    def __enter__(self):
        self.process = subprocess.Popen([QUIRE, "gotenberg", "--port", "0", "--json", "--warm", "--time", "300"],
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

    def __enter__(self):
        # Its libraries come from two sides: LibreOffice's from Debian, its own from beside the checkout.
        places = ":".join(map(str, Path(".venv-rivals/lib").glob("python3*/site-packages")))
        world = dict(os.environ, PYTHONPATH=str(Path(places).resolve()) if places else "")
        if subprocess.run(["/usr/bin/python3", "-c", "import uno, unoserver"], capture_output=True, env=world).returncode:
            raise LookupError("unoserver is missing: bin/setup --bench")
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "unoserver.server", "--port", "2903", "--uno-port", "2902", "--user-installation", f"{WORK}/uno"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, env=world)
        self.id = self.process.pid
        from xmlrpc.client import ServerProxy
        self.server = ServerProxy("http://127.0.0.1:2903", allow_none=True)
        for _ in range(120):
            try:
                self.server.info()
                return self
            except OSError:
                time.sleep(0.25)
        raise LookupError("unoserver did not start")

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(30)

    def office(self, path):
        out = WORK / "uno.pdf"
        self.server.convert(str(path), None, str(out), "pdf", None, [], True, None)
        return out.read_bytes()


def timed(server, path, count):
    """Median wall and mean processor time of one paper, after one that warms."""
    server.office(path)
    walls, before = [], cpu(server.id)
    for _ in range(count):
        start = time.monotonic()
        server.office(path)
        walls.append(time.monotonic() - start)
    return median(walls), (cpu(server.id) - before) / count


# Parts

def office():
    made = papers()
    costs = {}
    for name, server in [("quire", Quire), ("unoserver", Uno)]:
        try:
            with server() as running:
                for paper, path in made.items():
                    costs[name, paper] = timed(running, path, 10)
        except LookupError as why:
            print(f"  {why}")
    for paper, path in made.items():
        cold = [ran(["soffice", "--headless", f"-env:UserInstallation=file://{WORK}/cold", "--convert-to", "pdf", "--outdir", WORK, path])
                for _ in range(3)][1:]
        wall, used = costs["quire", paper]
        target = 0.5 if paper == "letter" else 0.7
        more = f"cold soffice {median([c for _, c in cold]) * 1000:.0f} ms: {used / median([c for _, c in cold]):.2f} of it"
        if ("unoserver", paper) in costs:
            rival = costs["unoserver", paper]
            say(f"{path.name}: processor time, of unoserver's", f"{used / rival[1]:.2f}",
                f"target {target}; {used * 1000:.0f} and {rival[1] * 1000:.0f} ms, wall {wall * 1000:.0f} and {rival[0] * 1000:.0f} ms; {more}")
        else:
            say(f"{path.name}: processor time", f"{used * 1000:.0f} ms", f"wall {wall * 1000:.0f} ms; {more}")


def mixed():
    made = list(papers().values())
    todo = [made[n % len(made)] for n in range(40)]
    walls = {}
    with Quire() as server:
        for hands in (2, 1):
            with ThreadPoolExecutor(hands) as pool:
                list(pool.map(server.office, made))
                start = time.monotonic()
                list(pool.map(server.office, todo))
                walls[hands] = time.monotonic() - start
    say("40 mixed papers: two workers, times one", f"{walls[1] / walls[2]:.2f}", f"target 1.8; {walls[2]:.1f} and {walls[1]:.1f} s")
    try:
        with Uno() as rival:
            for path in made:
                rival.office(path)
            start = time.monotonic()
            for path in todo:
                rival.office(path)
            wall = time.monotonic() - start
        say("40 mixed papers: throughput, times unoserver's", f"{wall / walls[2]:.2f}", f"target 3; unoserver {wall:.1f} s")
    except LookupError as why:
        print(f"  {why}")


class Pipe:
    """Chromium alone, over the same pipe, told only what is needed to print."""

    def __init__(self):
        ours, theirs = os.pipe(), os.pipe()
        program = shutil.which("/usr/lib/chromium/chromium") or shutil.which("chromium")
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
        for _ in range(14):
            start = time.monotonic()
            ask()
            ours.append(time.monotonic() - start)
    alone, browser = [], Pipe()
    for _ in range(14):
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
    for number in range(100):
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
    subprocess.run([QUIRE, "convert", source, "--out", WORK / "words.pdf", "--force", "--quiet"], check=True)
    folder = WORK / "scan"
    folder.mkdir(exist_ok=True)
    subprocess.run(["pdftoppm", "-r", "200", "-gray", "-png", WORK / "words.pdf", folder / "p"], check=True)
    files = sorted(map(str, folder.iterdir()))[:pages]
    subprocess.run([QUIRE, "convert", *files, "--out", WORK / "scan.pdf", "--force", "--quiet"], check=True)
    return WORK / "scan.pdf", files


def ocr():
    paper, files = scan(20)
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
    source.write_text("".join(f"<div style='break-after:page'><h1>Sheet {n}</h1><p>{words(200, dice)}</p></div>" for n in range(500)))
    paper = WORK / "long.pdf"
    subprocess.run([QUIRE, "convert", source, "--out", paper, "--force", "--quiet"], check=True)
    ours, theirs = [], []
    for number in range(2):
        (WORK / f"o{number}").mkdir()
        (WORK / f"t{number}").mkdir()
        ours.append(ran([QUIRE, "convert", paper, "--to", "jpg", "--dpi", "72", "--out", f"{WORK}/o{number}/", "--quiet"]))
        theirs.append(ran(["pdftoppm", "-jpeg", "-r", "72", paper, WORK / f"t{number}/p"]))
    assert len(list((WORK / "o0").iterdir())) == 500
    wall, rival = min(w for w, _ in ours), min(w for w, _ in theirs)
    say("pictures of 500 pages, of pdftoppm's time", f"{wall / rival:.2f}", f"target 1.2; {wall:.1f} and {rival:.1f} s")


def memory():
    made = papers()
    with Quire() as server:
        before = sum(map(private, family(server.id)))
        for _ in range(3):
            for path in made.values():
                server.office(path)
            server.ask("/forms/chromium/convert/html", [("index.html", b"<h1>Dear Ada</h1>")])

        def named(word):
            return [private(p) for p in family(server.id) if word in Path(f"/proc/{p}/comm").read_text()]

        say("a LibreOffice worker, private", f"{max(named('quire-engine'), default=0):.0f} MB", "target 150")
        say("Chromium with all its processes, private", f"{sum(named('chrom')):.0f} MB", "target 250")
        # Pools end when nobody has needed them for a minute.
        time.sleep(75)
        say("after a minute of rest, everything", f"{sum(map(private, family(server.id))):.0f} MB", f"{before:.0f} MB when warm")


PARTS = {part.__name__: part for part in [office, mixed, html, photos, ocr, pages, memory]}
for name in sys.argv[3:] or PARTS:
    PARTS[name]()
