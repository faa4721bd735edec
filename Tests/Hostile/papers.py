"""What nobody wishes a desk, brought to one that is served."""

import http.client
import io
import json
import os
import pathlib
import random
import stat
import struct
import subprocess
import sys
import time
import urllib.parse
import zipfile
import zlib

ADDRESS, TOKEN, SERVER, FOLDER, QUIRE = sys.argv[1:6]
HOST = ADDRESS.removeprefix("http://")
SPOILED = int(os.environ.get("SPOILED", "60"))
# A desk at rest takes a tenth of this; what a bomb claims is far more.
MOST_MEMORY = 600 << 20

passed, failed = 0, 0


def holds(sentence, is_so, more=""):
    global passed, failed
    if is_so:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {sentence}" + (f": {more}" if more else ""), flush=True)


def ask(method, path, body=None, kind="application/octet-stream", **headers):
    """The answer and what it says; a connection that breaks is an answer of 0."""
    line = http.client.HTTPConnection(HOST, timeout=300)
    if body is not None and not isinstance(body, bytes):
        body, kind = json.dumps(body).encode(), "application/json"
    try:
        line.request(method, path, body, {
            "Authorization": f"Bearer {TOKEN}", "Content-Type": kind, "Accept": "application/json", **headers})
        answer = line.getresponse()
        said = answer.read()
        if answer.status == 429:
            # So many requests are a nuisance of their own, and refused as one.
            time.sleep(int(answer.headers["Retry-After"]))
            return ask(method, path, body, kind, **headers)
    except (OSError, http.client.HTTPException) as broken:
        return 0, str(broken)
    finally:
        line.close()
    try:
        return answer.status, json.loads(said)
    except ValueError:
        return answer.status, said


def add(name, content, **fields):
    query = urllib.parse.urlencode({"name": name, **fields})
    return ask("POST", f"/documents?{query}", content)


def memory():
    """What the server has taken at most, in bytes."""
    for line in pathlib.Path(f"/proc/{SERVER}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) << 10
    return 0


def is_there():
    return ask("GET", "/health")[0] == 200 and pathlib.Path(f"/proc/{SERVER}").exists()


# MARK: Archives

def bomb(byte_count):
    """A ZIP of one entry of zeros, honest about its size, without making so many zeros: one packed piece over and over."""
    piece = 1 << 26
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(bytes(piece)) + packer.flush(zlib.Z_FULL_FLUSH)
    last = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed * (byte_count // piece) + last.flush()
    check = 0
    zeros = bytes(piece)
    for _ in range(byte_count // piece):
        check = zlib.crc32(zeros, check)
    name = b"zeros.pdf"
    sizes = struct.pack("<QQ", byte_count, len(body))
    local = struct.pack("<4s5H3I2H", b"PK\3\4", 45, 0, 8, 0, 33, check, 0xFFFFFFFF, 0xFFFFFFFF, len(name), 20)
    head = local + name + struct.pack("<HH", 1, 16) + sizes
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", 45, 45, 0, 8, 0, 33, check, 0xFFFFFFFF, 0xFFFFFFFF, len(name), 20,
                        0, 0, 0, 0, 0) + name + struct.pack("<HH", 1, 16) + sizes
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(head) + len(body), 0)
    return head + body + entry + end


def nested(depth):
    """An archive in an archive in an archive, each twice."""
    content, name = bytes(1 << 20), "a.txt"
    for level in range(depth):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
            for number in range(10):
                packed.writestr(f"{number}-{name}", content)
        content, name = held.getvalue(), f"{level}.zip"
    return content


def with_links():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for name, target in [("passwords", "/etc/passwd"), ("up", "../../../quire.db"), ("self", "self")]:
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            packed.writestr(info, target)
        packed.writestr("honest.txt", "an honest paper")
    return held.getvalue()


def archives():
    start = time.monotonic()
    status, said = add("ten gigabytes.zip", bomb(10 << 30), unpack="1")
    holds("an archive that becomes ten gigabytes is taken in as it is", status in (200, 201), f"{status} {said}")
    holds("and is said to be left packed, with the reason", bool(said.get("left")) if isinstance(said, dict) else False, said)
    holds("within a minute", time.monotonic() - start < 90, f"{time.monotonic() - start:.0f} s")
    status, said = add("nested.zip", nested(4), unpack="1")
    holds("archives in archives in archives end", status in (200, 201), f"{status} {said}")
    status, said = add("links.zip", with_links(), unpack="1")
    holds("links in an archive are not followed", status in (200, 201) and b"root:" not in json.dumps(said).encode(), said)
    names = [paper["name"] for paper in said.get("documents", [])] if isinstance(said, dict) else []
    holds("and the honest paper beside them comes in", "honest.txt" in names or "links.zip" in names, names)
    outside = [str(path) for path in pathlib.Path(FOLDER).rglob("*") if path.is_symlink()]
    holds("nothing on the disk is a link", not outside, outside)
    holds("the desk is still there", is_there())
    holds("and has taken no more memory than it may", memory() < MOST_MEMORY, f"{memory() >> 20} MB")


# MARK: Names

ODD = [
    "a/b\\c", "..", "../../up.txt", "/etc/passwd", "con.txt", "NUL", "a:b|c?d*e<f>g\"h.txt", " spaces .txt ", ".hidden",
    "trailing.", "tab\tline\nfeed\rreturn.txt", "bell\a.txt", "\u202egnp.exe", "\u200bzero.txt", "\ufeffmark.txt",
    "e\u0301 and \u00e9.txt", "\U0001F468\u200d\U0001F469\u200d\U0001F467.pdf", "\u05e9\u05dc\u05d5\u05dd.txt",
    "\u6587\u66f8.pdf", "%2e%2e%2fup.txt", "%00.txt", "a\u0000b.txt", "'; DROP TABLE document; --.txt", "<script>.html",
    "x" * 300 + ".txt", "\u00e4" * 300 + ".txt", "-rf", "$(touch owned)", "`id`.txt", "#?&=+.txt", "~root.txt", "\ud83d.txt",
]


def clean(name):
    """Whether a name can be shown and saved anywhere."""
    return bool(name) and len(name) <= 200 and not any(ord(letter) < 32 or letter in "/\\\u202e\u2066" for letter in name)


def encoded(name):
    return urllib.parse.quote(name.encode("utf-8", "surrogatepass"))


def names():
    def all_clean(where):
        status, said = ask("GET", "/documents?limit=500")
        listed = [paper["name"] for paper in said["documents"]]
        holds(f"names that came {where} can be shown and saved anywhere", all(map(clean, listed)),
              [name for name in listed if not clean(name)])
        return len(listed)

    for number, name in enumerate(ODD):
        status, said = ask("POST", f"/documents?name={encoded(name)}", f"by address {number}".encode())
        holds(f"{name!r} in an address is a name or a plain refusal", status in (200, 201, 400, 422), f"{status} {said}")
    count = all_clean("in addresses")
    holds("nearly all of them came in", count >= len(ODD) - 6, count)
    for number, name in enumerate(ODD):
        shown = name.encode("utf-8", "replace").replace(b"\r", b" ").replace(b"\n", b" ").replace(b'"', b"%22")
        body = (b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + shown
                + f"\"\r\n\r\nby form {number}\r\n--b--\r\n".encode())
        status, said = ask("POST", "/documents", body, "multipart/form-data; boundary=b")
        holds(f"{name!r} in a form is a name or a plain refusal", status in (200, 201, 400, 422), f"{status} {said}")
    all_clean("in forms")
    for number, name in enumerate(ODD):
        path = "/dav/" + encoded(name).replace("/", "%2F")
        status, said = ask("PUT", path, f"by dav {number}".encode())
        holds(f"{name!r} by WebDAV is a name or a plain refusal", 200 <= status < 500, f"{status} {said}")
        if status == 201:
            holds(f"{name!r} is there under the name it was put", ask("GET", path)[0] == 200)
    all_clean("by WebDAV")
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for number, name in enumerate(ODD):
            try:
                packed.writestr(name, f"by archive {number}")
            except (UnicodeEncodeError, ValueError):
                continue
    status, said = add("odd names.zip", held.getvalue(), unpack="1")
    holds("an archive of odd names comes in", status in (200, 201), f"{status} {said}")
    all_clean("in an archive")
    inbox = pathlib.Path(FOLDER) / "inbox"
    put = 0
    for number, name in enumerate(ODD):
        try:
            (inbox / name.replace("/", "_")).write_bytes(f"by inbox {number}".encode())
            put += 1
        except (OSError, ValueError):
            continue
    (inbox / "link.txt").symlink_to("/etc/passwd")
    (inbox / "not letters \udcff\udcfe.txt").write_bytes(b"by inbox, in no letters")
    before = ask("GET", "/documents?limit=1")[1]["total"]
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if ask("GET", "/documents?limit=1")[1]["total"] >= before + put - 3:
            break
        time.sleep(0.5)
    after = ask("GET", "/documents?limit=1")[1]["total"]
    holds("the inbox takes in odd names", after >= before + put - 3, f"{before} and {after}, of {put}")
    holds("and leaves links alone", (inbox / "link.txt").is_symlink())
    all_clean("by the inbox")
    status, said = ask("GET", "/search?q=root%3Ax%3A0")
    holds("what a link led to is not in the library", status == 200 and "passwd" not in json.dumps(said).replace("/etc/passwd", ""))
    holds("the desk is still there", is_there())


# MARK: PDFs

def corpus():
    named = os.environ.get("QUIRE_CORPUS")
    folder = pathlib.Path(named) if named else pathlib.Path(__file__).resolve().parents[3] / "shared" / "corpus"
    if not folder.exists():
        folder = pathlib.Path.cwd().parent / "shared" / "corpus"
    return sorted(path for path in folder.rglob("*.pdf") if 0 < path.stat().st_size < 400_000) if folder.exists() else []


def made():
    """A PDF for who has no corpus."""
    return (b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\n"
            b"endobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>\nendobj\nxref\n0 4\n0000000000 65535 f \n"
            b"0000000009 00000 n \n0000000058 00000 n \n0000000115 00000 n \ntrailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n186\n%%EOF\n")


def spoiled(content, chance):
    """Bytes turned, cut, doubled and mixed, and numbers made enormous."""
    content = bytearray(content)
    for _ in range(chance.randint(1, 30)):
        if not content:
            break
        place = chance.randrange(len(content))
        match chance.randrange(6):
            case 0: content[place] ^= 1 << chance.randrange(8)
            case 1: content[place] = chance.randrange(256)
            case 2: del content[place:place + chance.randint(1, 400)]
            case 3: content[place:place] = content[place:place + chance.randint(1, 400)]
            case 4: content[place:place + 3] = chance.choice([b"/Kids", b"<<<<", b"99999999999", b"-1 0 R", b"[[[[", b"\0\0\0"])
            case 5:
                if chance.random() < 0.1:
                    del content[place:]
    return bytes(content)


CRAFTED = {
    "a page that is its own parent.pdf": made().replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]"),
    "a billion pages.pdf": made().replace(b"/Count 1 ", b"/Count 1000000000 "),
    "a page as large as a field.pdf": made().replace(b"[0 0 300 300]", b"[0 0 3e9 3e9]"),
    "deep.pdf": b"%PDF-1.7\n1 0 obj\n" + b"[" * 200_000 + b"]" * 200_000 + b"\nendobj\n" + made()[9:],
    "only a head.pdf": b"%PDF-1.7\n",
    "a table that leads back.pdf": made().replace(b"trailer\n<<", b"trailer\n<< /Prev 186"),
}


def papers():
    found = corpus()
    chance = random.Random(7)
    originals = [path.read_bytes() for path in chance.sample(found, min(len(found), 40))] or [made()]
    all_of_them = [(f"as it is {number}.pdf", content) for number, content in enumerate(originals)]
    all_of_them += list(CRAFTED.items())
    all_of_them += [(f"spoiled {number}.pdf", spoiled(chance.choice(originals), chance)) for number in range(SPOILED)]
    for name, content in all_of_them:
        if not content:
            continue
        status, said = add(name, content)
        holds(f"{name} is kept as it came", status in (200, 201), f"{status} {said}")
        if status not in (200, 201):
            continue
        paper = said["documents"][0]
        status, kept = ask("GET", f"/documents/{paper['id']}/file")
        if isinstance(kept, bytes):
            holds(f"{name} comes back byte for byte", kept == content)
        for part in ["", "/pages", "/pages/1?width=200", "/pages/1/words", "/outline", "/read", "/similar", "/activity", "/versions"]:
            status, said = ask("GET", f"/documents/{paper['id']}{part}")
            # Not a fault of ours: either an answer, or a sentence that says why there is none.
            holds(f"{name}{part} is answered", status not in (0, 500, 502), f"{status} {said if status == 0 else ''}")
        if not is_there():
            holds(f"the desk outlives {name}", False)
            return
    # All of them are read for their words in the background, and the work ends.
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        status, said = ask("GET", "/documents/matches?q=zebra")
        if status == 200 and said["unread"] == 0:
            break
        time.sleep(1)
    holds("all of them are looked at for their words", status == 200 and said["unread"] == 0, said)
    status, said = ask("GET", "/jobs?state=setAside")
    holds("no work was set aside because it ended the desk", status == 200 and not said["jobs"], said)
    holds("the desk is still there", is_there())


def costly():
    """The same page very many times, in a few bytes: each is one of its own to whoever makes a file of them."""
    return made().replace(b"/Kids [3 0 R] /Count 1", b"/Kids [" + b"3 0 R " * 400_000 + b"] /Count 400000")


def together(*files):
    """What becomes of papers that are to be one PDF."""
    body = b"".join(b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name.encode() + b"\"\r\n\r\n" + content
                    + b"\r\n" for name, content in files) + b"--b--\r\n"
    status, said = ask("POST", "/conversions", body, "multipart/form-data; boundary=b")
    deadline = time.monotonic() + 300
    while status in (200, 201, 202) and said["state"] in ("draft", "waiting", "running") and time.monotonic() < deadline:
        time.sleep(0.2)
        status, said = ask("GET", f"/conversions/{said['id']}")
    return status, said


def merges():
    status, said = together(("a.pdf", made()), ("b.pdf", made()))
    holds("two sound papers become one", status == 200 and said["state"] == "done", f"{status} {said}")
    for name, content in [*CRAFTED.items(), ("a page four hundred thousand times.pdf", costly())]:
        status, said = together(("sound.pdf", made()), (name, content))
        holds(f"{name} is put beside another, or refused in words",
              status == 200 and (said["state"] == "done" or name.removesuffix(".pdf") in json.dumps(said)), f"{status} {said}")
        if not is_there():
            holds(f"the desk outlives what is made of {name}", False)
            return
    holds("and has taken no more memory than it may", memory() < MOST_MEMORY, f"{memory() >> 20} MB")
    status, said = together(("a.pdf", made()), ("b.pdf", made()))
    holds("afterwards sound papers become one as before", status == 200 and said["state"] == "done", f"{status} {said}")


archives()
names()
merges()
papers()
log = (pathlib.Path(FOLDER) / "log").read_text(errors="replace")
holds("nothing of it was a fault of the desk's own", "internal" not in log.lower() and "Fatal error" not in log, log[-400:])
check = subprocess.run([QUIRE, "verify"], capture_output=True, text=True)
holds("the desk is whole after all that", check.returncode == 0, check.stdout + check.stderr)
print(f"hostile papers: {passed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
