"""What a large library costs: see run.

    measure.py ADDRESS TOKEN PID HOME FOLDER [PART…]
"""
import base64
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.parse

address, token, server, home, folder = sys.argv[1:6]
parts = sys.argv[6:] or ["list", "search", "intake", "dav", "thumbs", "ocr"]
home, folder = pathlib.Path(home), pathlib.Path(folder)
host = urllib.parse.urlparse(address).netloc
dice = random.Random(11)
words = (home / "words").read_text().split("\n")
sentences = (home / "sentences").read_text().split("\n")
bearer = {"Authorization": f"Bearer {token}"}


def call(line, method, path, body=None, headers=None):
    line.request(method, path, body, {**bearer, "Accept": "application/json", **(headers or {})})
    answer = line.getresponse()
    data = answer.read()
    assert answer.status < 400, (method, path, answer.status, data[:300])
    return data


def timed(line, paths, accept):
    took = []
    for path in paths:
        start = time.perf_counter()
        call(line, "GET", path, headers={"Accept": accept})
        took.append((time.perf_counter() - start) * 1000)
    return took


def say(name, took, budget):
    took = sorted(took)
    p95 = took[min(len(took) - 1, int(len(took) * 0.95))]
    print(f"{name}: median {statistics.median(took):.1f} ms, p95 {p95:.1f} ms of {len(took)} (budget {budget} ms)", flush=True)


def memory():
    """Now and at most, of the server itself."""
    lines = pathlib.Path(f"/proc/{server}/status").read_text().splitlines()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.startswith(("VmRSS", "VmHWM"))}
    return f"{kilobytes['VmRSS'] / 1000:.0f} MB resident, {kilobytes['VmHWM'] / 1000:.0f} MB at most"


def lists():
    line = http.client.HTTPConnection(host)
    data = call(line, "GET", "/folders")
    folders = [one["id"] for one in json.loads(data)["folders"]]
    tags = [one["name"] for one in json.loads(call(line, "GET", "/tags"))["tags"]]
    paths = []
    for _ in range(25):
        for sort in ["added", "name", "date", "pages", "size"]:
            paths.append(f"/documents?sort={sort}&order={dice.choice(['ascending', 'descending'])}")
        paths.append(f"/documents?folder={dice.choice(folders)}")
        paths.append(f"/documents?tag={urllib.parse.quote(dice.choice(tags))}")
        paths.append(f"/documents?q={dice.choice(words)[:4]}")
    timed(line, paths[:16], "text/html")
    say("list, as JSON", timed(line, paths, "application/json"), 50)
    say("list, as a page", timed(line, paths, "text/html"), 50)


def search():
    line = http.client.HTTPConnection(host)
    asked = []
    for _ in range(40):
        few = dice.choice(sentences).split()
        asked.append(" ".join(dice.sample(few, 2)))
        asked.append(dice.choice(words[200:]))
        asked.append('"' + " ".join(few[3:6]) + '"')
        asked.append(dice.choice(few)[:5])
        asked.append(f"{few[0]} {few[5]} -{few[9]} pages>3 from:2020-01-01")
    paths = ["/documents/matches?limit=20&q=" + urllib.parse.quote(q) for q in asked]
    timed(line, paths[:20], "application/json")
    say("search with snippets", timed(line, paths, "application/json"), 50)
    wrong = ["/documents/matches?q=" + urllib.parse.quote(w[:3] + "x" + w[3:]) for w in dice.sample(words[100:3000], 20)]
    say("search for words that are written wrongly", timed(line, wrong, "application/json"), 500)
    db = sqlite3.connect(f"file:{next(home.glob('*.db'))}?mode=ro", uri=True)
    text = db.execute("SELECT SUM(LENGTH(CAST(text AS BLOB))), SUM(LENGTH(CAST(folded AS BLOB))) FROM document_page").fetchone()
    index = sum(db.execute(f"SELECT SUM(LENGTH(block)) FROM {table}_data").fetchone()[0] for table in ["page_words", "paper_words"])
    print(f"index: {index / text[0]:.2f} of {text[0] / 1e6:.0f} MB of text; with the folded text that is kept "
          f"{(index + text[1]) / text[0]:.2f} (budget 1.5)", flush=True)


def intake():
    """A folder of letters by the command line while the desk is served, and letters laid into the network folder."""
    count = int(os.environ.get("INTAKE", 2_000))
    letters = folder / "letters"
    letters.mkdir()

    def letter(number):
        return f"{dice.choice(sentences)}\n{dice.choice(sentences)}\n{number} {os.urandom(4).hex()}\n".encode()

    for number in range(count):
        (letters / f"letter-{number}.txt").write_bytes(letter(number))
    start = time.perf_counter()
    subprocess.run([os.environ["QUIRE"], "add", letters, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    print(f"intake by quire add: {count / (time.perf_counter() - start):.0f} papers/s (budget 100)", flush=True)
    ours = {"Authorization": "Basic " + base64.b64encode(f"any:{token}".encode()).decode()}
    started = time.time_ns()

    def lay(numbers):
        line = http.client.HTTPConnection(host)
        for number in numbers:
            line.request("PUT", f"/dav/laid-{started}-{number}.txt", letter(number), ours)
            answer = line.getresponse()
            answer.read()
            assert answer.status < 400, answer.status

    for lanes in [1, 4]:
        mine = range(lanes * count, lanes * count + count // 2)
        start = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
            list(pool.map(lay, [mine[lane::lanes] for lane in range(lanes)]))
        print(f"intake over {lanes} connection(s): {len(mine) / (time.perf_counter() - start):.0f} papers/s (budget 100)", flush=True)


def ocr():
    """Scans found in the background, beside the tesseract command alone on as many cores. Their words are those of a
    language, as the desk finds out in which one a page is written."""
    tool = shutil.which("tesseract")
    if not tool:
        return print("ocr: skipped, tesseract is not installed")
    count, cores = int(os.environ.get("SCANS", 20)), os.cpu_count()
    scans = folder / "scans"
    scans.mkdir()
    pictures = []
    prose = re.sub(r"[^A-Za-z0-9 ,.]+", " ", " ".join(file.read_text() for file in pathlib.Path("docs").glob("*.md"))).split()
    prose = [" ".join(prose[at:at + 14])[:88] for at in range(0, len(prose) - 14, 14)]
    for number in range(count):
        made = scans / f"{number}.pdf"
        made.write_bytes(paper(time.time_ns() % 1_000_000 + number, prose))
        subprocess.run(["pdftoppm", "-r", "300", "-gray", "-png", "-singlefile", made, made.with_suffix("")], check=True)
        pictures.append(made.with_suffix(".png"))
        subprocess.run([os.environ["QUIRE"], "convert", pictures[-1], "--out", made, "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    alone = dict(os.environ, OMP_THREAD_LIMIT="1")

    def recognise(picture):
        subprocess.run([tool, picture, picture.with_suffix(""), "-l", "eng"], check=True, env=alone, capture_output=True)

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        list(pool.map(recognise, pictures))
    theirs = time.perf_counter() - start
    line = http.client.HTTPConnection(host)
    db = sqlite3.connect(f"file:{next(home.glob('*.db'))}?mode=ro", uri=True)
    ids = []

    def found():
        """Pages of the scans whose words are written down."""
        marks = ", ".join("?" * len(ids))
        return db.execute(f"SELECT count(DISTINCT document) FROM document_page WHERE page > 0 AND text <> '' AND document IN ({marks})", ids).fetchone()[0]

    start = time.perf_counter()
    for number in range(count):
        answer = call(line, "POST", f"/documents?name=scan-{number}.pdf", (scans / f"{number}.pdf").read_bytes(), {"Content-Type": "application/octet-stream"})
        ids.append(json.loads(answer)["documents"][0]["id"])
    assert len(set(ids)) == count, "a scan is taken for another"
    while found() < count:
        assert time.perf_counter() - start < 600, f"{found()} of {count} were read"
        time.sleep(0.1)
    mine = time.perf_counter() - start
    print(f"ocr of {count} pages in the background: {count / mine:.2f} pages/s, tesseract alone on {cores} cores {count / theirs:.2f}: "
          f"{theirs / mine:.2f} times (budget 0.9)", flush=True)


def rest():
    """Until the server does nothing any more: what it puts off must not fall into a rival's turn."""
    def spent():
        return sum(map(int, pathlib.Path(f"/proc/{server}/stat").read_text().rsplit(")", 1)[1].split()[11:15]))

    deadline, before = time.monotonic() + 60, None
    while before != (now := spent()) and time.monotonic() < deadline:
        before = now
        time.sleep(0.6)


def dav():
    """In turns, so that all meet the same moments; each at its best."""
    def basic(password):
        return {"Authorization": "Basic " + base64.b64encode(f"any:{password}".encode()).decode()}

    servers = {"ours": (host, "/dav/bench", basic(token))}
    for name, headers in [("nginx", {}), ("Apache", basic("secret"))]:
        if where := os.environ.get(name.upper()):
            servers[name] = (where, "/bench", headers)
    if "SAVED" in os.environ:
        servers["Apache that waits for the disk"] = (os.environ["APACHE"], "/saved/bench", basic("secret"))
    if len(servers) == 1:
        return print("dav: skipped, neither nginx with its dav module nor Apache is installed")
    for size, count, rounds in [(10_000, 200, 4), (5_000_000, 20, 2)]:
        took = {}
        for _ in range(rounds):
            for name, (where, root, headers) in servers.items():
                if root.startswith("/saved") and size > 1_000_000:
                    continue  # which waits for each piece of it
                line = http.client.HTTPConnection(where)
                if name != "nginx":  # which makes folders by itself
                    line.request("MKCOL", root, headers=headers)
                    line.getresponse().read()
                for method in ["PUT", "GET"]:
                    start = time.perf_counter()
                    for number in range(count):
                        body = os.urandom(size) if method == "PUT" else None
                        line.request(method, f"{root}/{size}-{number}.bin", body, headers)
                        answer = line.getresponse()
                        answer.read()
                        assert answer.status < 400, (name, method, answer.status)
                    took.setdefault((name, method), []).append((time.perf_counter() - start) / count * 1000)
                rest()
        for method in ["PUT", "GET"]:
            mine = min(took["ours", method])
            beside = ", ".join(f"{name} {min(took[name, method]):.2f}: {mine / min(took[name, method]):.2f} times"
                               for name in servers if name != "ours" and (name, method) in took)
            print(f"dav {method} of {size // 1000} kB: {mine:.2f} ms, {beside} (budget 2 times either)", flush=True)


def paper(number, lines=sentences):
    """A PDF of one page full of words."""
    lines = "".join(f"1 0 0 1 72 {770 - 14 * row} Tm ({dice.choice(lines)} {number}) Tj " for row in range(50))
    stream = f"BT /F 9 Tf {lines} ET"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
               "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents 5 0 R >>",
               f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"]
    text, places = "%PDF-1.7\n", []
    for place, body in enumerate(objects, 1):
        places.append(len(text))
        text += f"{place} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (text + f"xref\n0 6\n0000000000 65535 f \n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n").encode()


def thumbs():
    count = int(os.environ.get("THUMBS", 30))
    line = http.client.HTTPConnection(host)
    tool = shutil.which("pdftoppm")
    ids, files = [], []
    for number in range(count):
        # Never the same twice, as a desk that is kept has the small pictures of the last time.
        data = paper(time.time_ns() % 1_000_000 + number)
        (folder / f"{number}.pdf").write_bytes(data)
        files.append(folder / f"{number}.pdf")
        answer = call(line, "POST", f"/documents?name=thumb-{number}.pdf", data, {"Content-Type": "application/octet-stream"})
        ids.append(json.loads(answer)["documents"][0]["id"])
    time.sleep(3)  # so that reading their words does not fall into the measure
    mine, theirs = [], []
    for one, file in zip(ids, files):
        start = time.perf_counter()
        call(line, "GET", f"/documents/{one}/pages/1?width=240", headers={"Accept": "image/*"})
        mine.append((time.perf_counter() - start) * 1000)
        if tool:
            start = time.perf_counter()
            subprocess.run([tool, "-jpeg", "-f", "1", "-l", "1", "-scale-to-x", "240", "-scale-to-y", "-1", file, file.with_suffix("")], check=True)
            theirs.append((time.perf_counter() - start) * 1000)
    if tool:
        ours, alone = statistics.mean(mine), statistics.mean(theirs)
        print(f"thumbnails: {ours:.1f} ms each, pdftoppm in turn {alone:.1f} ms: {ours / alone:.2f} times; medians "
              f"{statistics.median(mine):.1f} and {statistics.median(theirs):.1f}: {statistics.median(mine) / statistics.median(theirs):.2f} (budget 1.5)", flush=True)
    warm = timed(line, [f"/documents/{one}/pages/1?width=240" for one in ids], "image/*")
    say("a picture that is kept", warm, 300)


print(f"server at the beginning: {memory()}", flush=True)
for part in parts:
    {"list": lists, "search": search, "intake": intake, "dav": dav, "thumbs": thumbs, "ocr": ocr}[part]()
    print(f"server after {part}: {memory()} (budget 150)", flush=True)
