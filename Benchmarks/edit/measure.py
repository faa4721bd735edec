"""Measures work on papers and its rivals: what is taken out, signed, compared, written on and made smaller."""
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import made
from leaks import leaks, word_leaks

QUIRE, WORK = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
PYTHON, RIVALS = sys.executable, Path("Benchmarks/rivals")
os.environ["QUIRE_HOME"] = str(WORK / "desk")
SMALL = bool(os.environ.get("SMALL"))
EXPRESSION = made.Secrets.EXPRESSION
failed = False


def few(many):
    return max(2, many // 12) if SMALL else many


def say(what, value, more=""):
    print(f"  {what:<58} {value:>12}  {more}", flush=True)


def held(is_held, sentence):
    """Speed is told; what must never be makes the bench fail."""
    global failed
    if not is_held:
        failed = True
        print(f"  NOT HELD: {sentence}", flush=True)


def ran(command, allowed=(0,), **options):
    """Seconds on the wall, and what was said."""
    start = time.monotonic()
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    spent = time.monotonic() - start
    if allowed and done.returncode not in allowed:
        sys.exit(f"edit: {' '.join(map(str, command))[:300]}: {done.returncode}\n{done.stderr[-2000:]}")
    return spent, done


def rival(program, *arguments, **options):
    """Seconds by its own clock: its start does not count."""
    return float(ran([PYTHON, RIVALS / program, *arguments], **options)[1].stdout)


def one_core():
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def new(name):
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


# Parts

def redact():
    pages = few(1000)
    paper, secrets = made.running(pages)
    folder = new("redact")
    source, ours, theirs = folder / "long.pdf", folder / "ours.pdf", folder / "theirs.pdf"
    source.write_bytes(paper)
    wall = min(ran([QUIRE, "redact", source, "--find", EXPRESSION, "--out", ours, "--force", "--quiet"])[0] for _ in range(2))
    loop = min(rival("redact.py", EXPRESSION, source, theirs) for _ in range(2))
    proved = rival("redact.py", EXPRESSION, source, theirs, "proof")
    print(f"  {len(secrets)} numbers and addresses on {pages} pages of running text: {wall:.1f} s, each page looked at afterwards")
    say("PyMuPDF in a loop, times ours", f"{loop / wall:.2f}", f"target 5; {loop:.1f} s, which looks at nothing afterwards")
    say("PyMuPDF that looks afterwards, too, times ours", f"{proved / wall:.2f}", f"{proved:.1f} s: words again, pictures of pages compared")
    told_leaks("quire", ours, secrets, pages)
    told_leaks("PyMuPDF", theirs, secrets, pages, ours=False)

    def words(path):
        return ran(["pdftotext", "-q", "-raw", path, "-"])[1].stdout.split()

    before = [word for word in words(source) if word not in secrets]
    say("words beside them, lost or changed", str(abs(len(before) - len(words(ours))) if before != words(ours) else 0), f"of {len(before)}")
    held(before == words(ours), "every other word stays")


def told_leaks(who, path, secrets, pages, ours=True):
    found = leaks(path, secrets)
    readers = ", ".join(sorted(set().union(*found.values()))) if found else "pdftotext, mutool, PyMuPDF, pikepdf, every byte by qpdf"
    say(f"left readable by {who}", str(len(found)), f"target 0; of {len(secrets)} on {pages} pages; read by {readers}" if ours else
        f"of {len(secrets)}; read by {readers}")
    if ours:
        held(not found, f"nothing is left: {sorted(found)[:5]}")
    return found


def hidden():
    """Papers that keep it in every place where a paper can."""
    pages = few(40)
    for kind in made.KINDS:
        # By halves: as old programs write, and with objects packed.
        for packed in (False, True):
            yield f"{kind.__name__}{'-packed' if packed else ''}", *made.hiding(kind, pages // 2, 1, packed), pages // 2
    yield "revised", *made.revised(pages, 1), pages


def leaking():
    total, counted, refused, theirs, lost, pictured = 0, 0, {}, {}, [], []
    folder = new("leaks")
    for name, paper, secrets, pages in hidden():
        source, ours, other = (folder / f"{name}{end}.pdf" for end in ("", "-ours", "-theirs"))
        source.write_bytes(paper)
        unread = set(secrets) - set(leaks(source, secrets))
        held(not unread, f"{name}: the readers see what is to go: {sorted(unread)[:3]}")
        _, done = ran([QUIRE, "redact", source, "--find", EXPRESSION, "--out", ours, "--quiet"], allowed=())
        if done.returncode and "become pictures" in done.stderr:
            # As it advises itself.
            _, done = ran([QUIRE, "redact", source, "--find", EXPRESSION, "--out", ours, "--quiet", "--as-pictures"], allowed=())
            pictured.append(name)
        total += pages
        if done.returncode:
            refused[name] = done.stderr.strip().split("\n")[-1]
            held(not ours.exists(), f"{name}: nothing is written where it was refused")
            continue
        found = leaks(ours, secrets)
        counted += len(found)
        held(not found, f"{name}: {len(found)} of {len(secrets)} are left, read by {sorted(set().union(*found.values())) if found else ''}")
        stood, stands = (ran(["pdftotext", "-q", "-raw", path, "-"])[1].stdout.count(made.NEIGHBOUR) for path in (source, ours))
        if stands < stood and name not in pictured:
            lost.append(f"{name} {stood - stands}")
        if ran([PYTHON, RIVALS / "redact.py", EXPRESSION, source, other], allowed=())[1].returncode == 0:
            theirs[name] = len(leaks(other, secrets))
    say("left readable in papers that hide it", str(counted), f"target 0; {total} pages, {len(made.KINDS) + 1} ways to keep it")
    say("papers refused, and nothing written", str(len(refused)), "; ".join(f"{name}: {why[:150]}" for name, why in refused.items()))
    say("papers that could only be kept as pictures", str(len(pictured)), ", ".join(pictured))
    say("pages without the words beside it", str(len(lost)), ", ".join(lost))
    bad = {name: count for name, count in theirs.items() if count}
    say("left readable by PyMuPDF's loop", str(sum(bad.values())), ", ".join(bad))
    corpus(total)


def corpus(total):
    place = Path(os.environ.get("CORPUS", "../shared/corpus"))
    papers = [path for name in ("pdf", "letter", "form") for path in sorted((place / name).glob("*.pdf"))] if place.is_dir() else []
    if not papers:
        return print("  papers of others were left out: there is no corpus (CORPUS=FOLDER names one)")
    folder, done, pages, unwritten, counted = new("corpus"), 0, 0, 0, 0
    for source in papers[:few(len(papers))]:
        text = ran(["pdftotext", "-q", source, "-"], allowed=(), errors="replace")[1].stdout
        words = sorted({word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 5 and word.isascii()}, key=lambda word: (text.count(word), word))
        if not words:
            continue
        # One that stands there often, and so in many ways.
        word, ours = words[-1], folder / source.name
        command = [QUIRE, "redact", source, "--words", word, "--out", ours, "--quiet", "--skip-pictures"]
        if ran(command, allowed=())[1].returncode:
            unwritten += 1
            held(not ours.exists(), f"{source.name}: nothing is written where it was refused")
            continue
        done += 1
        pages += int(re.search(r"Pages: +(\d+)", ran(["pdfinfo", ours], errors="replace")[1].stdout).group(1))
        found = word_leaks(ours, word)
        counted += bool(found)
        held(not found, f"{source.name}: “{word}” is left, read by {sorted(found)}")
    say("left readable in papers of others", str(counted), f"target 0; {done} papers of {pages} pages, {unwritten} refused; {total + pages} pages in all")


def papers_to_sign(count):
    folder = new("tosign")
    for number in range(count):
        dice, paper = random.Random(number), made.Paper()
        picture = paper.stream(dice.randbytes(96_000), "/Type/XObject/Subtype/Image/Width 400/Height 240/BitsPerComponent 8/ColorSpace/DeviceGray")
        paper.page(made.column(made.prose(430, dice)), resources=f"/XObject<</P {picture} 0 R>>")
        paper.page(made.column(made.prose(430, dice)))
        (folder / f"{number:04}.pdf").write_bytes(paper.bytes())
    return sorted(folder.iterdir())


def sign():
    papers = papers_to_sign(few(600))
    size = statistics.mean(path.stat().st_size for path in papers) / 1000
    print(f"  {len(papers)} papers of {size:.0f} kB in one go, one core, files in memory" if str(WORK).startswith("/dev/shm")
          else f"  {len(papers)} papers of {size:.0f} kB in one go, one core")
    for name, kind, target in [("P-256", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], 1000), ("RSA-2048", ["rsa:2048"], None)]:
        key, certificate, file, secret = (WORK / f"{name}.{end}" for end in ("key", "pem", "p12", "txt"))
        ran(["openssl", "req", "-x509", "-newkey", *kind, "-nodes", "-keyout", key, "-out", certificate, "-days", "30", "-subj", f"/CN={name}",
             "-addext", "keyUsage=critical,digitalSignature,nonRepudiation"])
        secret.write_text("secret\n")
        ran(["openssl", "pkcs12", "-export", "-inkey", key, "-in", certificate, "-out", file, "-passout", "pass:secret"])
        ran([QUIRE, "identity", "import", file, "--password-file", secret, "--quiet"])
        ours, theirs = new(f"ours-{name}"), new(f"theirs-{name}")
        wall = min(ran([QUIRE, "sign", *papers, "--with", name, "--out", ours, "--force", "--quiet"], preexec_fn=one_core)[0] for _ in range(3))
        some = papers[:few(40)]
        loop = min(rival("sign.py", "sign", key, certificate, theirs, *some, preexec_fn=one_core) for _ in range(2))
        rate, other = len(papers) / wall, len(some) / loop
        say(f"{name}: papers a second", f"{rate:.0f}", f"{f'target {target}; ' if target else ''}the start of the program included")
        say(f"{name}: times pyHanko's", f"{rate / other:.1f}", f"target 20; {other:.0f} a second")
        # By two who had no part in it.
        signed = sorted(ours.iterdir())
        sound = sum("Signature is Valid" in text and "Total document signed" in text
                    for text in (ran(["pdfsig", "-nocert", path], errors="replace")[1].stdout for path in signed))
        held(sound == len(papers), f"pdfsig finds all of them valid, not {sound}")
        checked = ran([PYTHON, RIVALS / "sign.py", "check", certificate, *signed[:few(60)]], allowed=())[1]
        held(checked.returncode == 0, f"pyHanko finds them valid: {checked.stderr[-300:]}")
        say(f"{name}: valid for pdfsig, for pyHanko", f"{sound}", f"and {checked.stdout.strip() or 0} of the first")


def two_editions(pages):
    """The second has three pages more, one less, and a word changed on every seventh."""
    dice = random.Random(3)
    first = [made.prose(430, dice) for _ in range(pages)]
    second = [list(words) for words in first]
    changed = list(range(0, pages, 7))
    for page in changed:
        second[page][dice.randrange(430)] = "altered"
    gone = pages * 3 // 5 | 1
    while gone in changed:
        gone += 1
    added = sorted(dice.sample(range(1, pages), 3), reverse=True)
    rest = [words for page, words in enumerate(second) if page != gone]
    for at in added:
        rest.insert(at, made.prose(430, dice))
    for name, edition in (("a", first), ("b", rest)):
        paper = made.Paper()
        for page, words in enumerate(edition):
            paper.page(made.column(words) + " " + made.shown(f"Page {page + 1}", 280, 40))
        (WORK / f"{name}.pdf").write_bytes(paper.bytes(packed=True))
    return WORK / "a.pdf", WORK / "b.pdf", len(changed)


def as_pictures(first, second):
    """The usual way where diff-pdf is not to be had: pictures of both, compared dot by dot."""
    from PIL import Image, ImageChops

    start, folder = time.monotonic(), new("pictures")
    for name, paper in (("a", first), ("b", second)):
        subprocess.run(["pdftoppm", "-r", "100", "-gray", paper, folder / name], check=True)
    different = 0
    for one, other in zip(sorted(folder.glob("a-*")), sorted(folder.glob("b-*"))):
        with Image.open(one) as a, Image.open(other) as b:
            different += a.size != b.size or ImageChops.difference(a, b).getbbox() is not None
    return time.monotonic() - start, different


def compare():
    pages = few(200)
    first, second, changed = two_editions(pages)
    wall, done = min((ran([QUIRE, "compare", first, second, "--json"], allowed=(1,)) for _ in range(3)), key=lambda one: one[0])
    counts = json.loads(done.stdout)["counts"]
    say(f"{pages} pages and {pages + 2}: found", f"{wall:.1f} s",
        f"budget 3 s; {counts['words']} words, {counts['pageAdded']} pages more, {counts['pageRemoved']} gone")
    # An altered word that was “altered” by chance is none; there is no such word in the pool.
    held((counts["words"], counts["pageAdded"], counts["pageRemoved"], counts["look"]) == (changed, 3, 1, 0), f"{changed} words, 3 and 1: {counts}")
    if shutil.which("diff-pdf"):
        loop, _ = ran(["diff-pdf", first, second], allowed=(0, 1))
        say("diff-pdf, times ours", f"{loop / wall:.1f}", f"target 5; {loop:.1f} s")
    else:
        print("  diff-pdf is missing, and no package of Debian 12: pictures by pdftoppm at 100 dpi, compared by Pillow, stand for it")
    loop, different = as_pictures(first, second)
    say("pictures of pages compared, times ours", f"{loop / wall:.1f}", f"target 5; {loop:.1f} s, and {different} pages are different for them")


def save():
    dice, paper = random.Random(9), made.Paper()
    for number in range(few(25)):
        picture = paper.stream(dice.randbytes(2_000_000), "/Type/XObject/Subtype/Image/Width 2000/Height 1000/BitsPerComponent 8/ColorSpace/DeviceGray")
        paper.page("q 500 0 0 250 50 50 cm /P Do Q " + made.column(made.prose(200, dice) + [f"marked{number}"]),
                   resources=f"/XObject<</P {picture} 0 R>>")
    source, copy, ours = WORK / "large.pdf", WORK / "copy.pdf", WORK / "marked.pdf"
    source.write_bytes(paper.bytes())
    place = WORK / "add.json"
    place.write_text('[{"kind": "highlight", "page": 1, "areas": [{"x": 60, "y": 44, "width": 120, "height": 12}]}]')
    floor = statistics.median(ran(["cp", source, copy])[0] for _ in range(9))
    start = statistics.median(ran([QUIRE, "--version"])[0] for _ in range(9))
    size = source.stat().st_size
    print(f"  a paper of {size / 1e6:.0f} MB; copying it takes {floor * 1000:.0f} ms, starting the program {start * 1000:.0f} ms")
    for what, wish in [("a highlight at a place", ["--add", place]), ("words highlighted wherever they stand", ["--highlight", "marked1"])]:
        wall = statistics.median(ran([QUIRE, "annotate", source, "--out", ours, "--force", "--quiet", *wish])[0] for _ in range(9))
        added = ours.stat().st_size - size
        say(what, f"{wall * 1000:.0f} ms", f"budget 100 ms; {wall / floor:.1f} times copying; {added} bytes more, budget 5000")
        held(0 < added <= 5000, f"{added} bytes were added")
        with open(source, "rb") as before, open(ours, "rb") as after:
            held(before.read() == after.read(size), "not one byte of what was there changes")


def photos(count):
    """Pictures with shades and edges as photos have them."""
    from PIL import Image, ImageFilter

    dice = random.Random(4)
    for _ in range(count):
        small = Image.frombytes("RGB", (40, 30), dice.randbytes(3600)).resize((2000, 1500), Image.Resampling.BICUBIC)
        grain = Image.frombytes("RGB", (500, 375), dice.randbytes(562_500)).resize((2000, 1500)).filter(ImageFilter.GaussianBlur(1))
        yield Image.blend(small, grain, 0.12)


def likeness(first, second):
    """Mean structural similarity (SSIM) of the pages, in greys at 100 dpi, over places of 8 by 8 dots."""
    import numpy
    from PIL import Image

    folder, found = new("likeness"), []
    for name, paper in (("a", first), ("b", second)):
        subprocess.run(["pdftoppm", "-r", "100", "-gray", paper, folder / name], check=True, stderr=subprocess.DEVNULL)
    for one, other in zip(sorted(folder.glob("a-*")), sorted(folder.glob("b-*"))):
        with Image.open(one) as a, Image.open(other) as b:
            x, y = (numpy.asarray(picture.convert("L").resize(a.size), dtype=float) for picture in (a, b))
        high, wide = (side // 8 * 8 for side in x.shape)
        x, y = (part[:high, :wide].reshape(high // 8, 8, wide // 8, 8).swapaxes(1, 2).reshape(-1, 64) for part in (x, y))
        means, spread = (x.mean(1), y.mean(1)), (x.var(1), y.var(1))
        both = (x * y).mean(1) - means[0] * means[1]
        one, two = 6.5025, 58.5225
        found.append((((2 * means[0] * means[1] + one) * (2 * both + two))
                      / ((means[0] ** 2 + means[1] ** 2 + one) * (spread[0] + spread[1] + two))).mean())
    return statistics.mean(found)


def to_make_smaller(count):
    """A scan of words in JPEG at 300 dpi; and pages of words with photos much finer than they are shown."""
    folder = new("smaller")
    text = made.running(count)[0]
    (folder / "words.pdf").write_bytes(text)
    ran(["pdftoppm", "-r", "300", "-jpeg", "-jpegopt", "quality=90", folder / "words.pdf", folder / "p"])
    ran(["img2pdf", "--imgsize", "300dpix300dpi", *sorted(folder.glob("p-*")), "-o", folder / "scan.pdf"])
    dice, paper = random.Random(6), made.Paper()
    for number, photo in enumerate(photos(count)):
        path = folder / f"{number}.jpg"
        photo.save(path, quality=93)
        data = path.read_bytes()
        picture = paper.stream(data, f"/Type/XObject/Subtype/Image/Width {photo.width}/Height {photo.height}/BitsPerComponent 8"
                               "/ColorSpace/DeviceRGB/Filter/DCTDecode", packed=False)
        paper.page("q 480 0 0 360 60 60 cm /P Do Q " + made.column(made.prose(180, dice)), resources=f"/XObject<</P {picture} 0 R>>")
    (folder / "mixed.pdf").write_bytes(paper.bytes())
    return [folder / "scan.pdf", folder / "mixed.pdf"]


def compress():
    recogniser = next((path for path in (".venv-rivals/bin/ocrmypdf", shutil.which("ocrmypdf")) if path and os.path.exists(path)), None)
    ways = [("quire", lambda a, b: [QUIRE, "compress", a, "--out", b, "--force", "--quiet"])]
    if shutil.which("gs"):
        ways.append(("Ghostscript /ebook", lambda a, b: ["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", f"-sOutputFile={b}", a]))
    else:
        print("  Ghostscript is missing: bin/setup --engines")
    if recogniser and shutil.which("pngquant"):
        ways.append(("ocrmypdf -O2", lambda a, b: [recogniser, "-q", "-O2", "--output-type", "pdf", "--tesseract-timeout", "0", "--skip-text", a, b]))
    else:
        print("  ocrmypdf or pngquant, which it needs for -O2, is missing: bin/setup --bench")
    for source in to_make_smaller(few(24)):
        size = source.stat().st_size
        print(f"  {source.name}: {size / 1e6:.1f} MB")
        for name, command in ways:
            out = WORK / f"{source.stem}-smaller.pdf"
            wall, _ = ran(command(source, out), errors="replace")
            say(f"  {name}: of its size", f"{out.stat().st_size / size:.2f}", f"SSIM {likeness(source, out):.3f}, {wall:.1f} s")


PARTS = {"redact": redact, "leaks": leaking, "sign": sign, "compare": compare, "save": save, "compress": compress}
for name in sys.argv[3:] or PARTS:
    print(f"{name}:", flush=True)
    PARTS[name]()
sys.exit(failed)
