"""Spoils files for a while and starts again after each fall; what brought a reader down is kept as a test.

    fuzz.py PROGRAM MINUTES [READER...]        minutes of the processor, for each reader
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
FOUND = TOP / "Tests/Fuzz/found"
sys.path.insert(0, str(TOP / "Tests/Forms"))
import traps  # noqa: E402

READERS = ["forms", "pdf", "redaction", "signatures", "tables", "workbooks", "vcard", "mail", "zip", "bundles", "http", "multipart", "letters", "values"]
LARGEST = 200_000
# What of the corpus a reader is given, beside the few files of its own.
KINDS = {
    "forms": ["form/*.pdf"], "pdf": ["form/*.pdf", "pdf/*.pdf"], "redaction": ["form/*.pdf", "pdf/*.pdf"],
    "signatures": ["form/*signed*.pdf", "pdf/*sign*.pdf"], "tables": ["csv/*.?sv"],
    "workbooks": ["xlsx/*.xlsx", "xlsx/*.ods"], "vcard": ["vcard/*.vcf"], "zip": ["office/*.docx", "ebook/*.epub"],
}


def corpus():
    named = os.environ.get("QUIRE_CORPUS")
    for place in [pathlib.Path(named)] if named else [TOP.parent / "shared/corpus", TOP.parent.parent / "shared/corpus"]:
        if (place / "form").is_dir():
            return place
    return None


def sources(reader, folder):
    """Our own form of traps, and the files of the corpus that are small enough to be spoiled often."""
    if reader in ("forms", "pdf", "redaction", "signatures"):
        traps.build(folder / "traps.pdf")
        yield folder / "traps.pdf"
    if place := corpus():
        for pattern in KINDS.get(reader, []):
            yield from (p for p in sorted(place.glob(pattern)) if p.stat().st_size < LARGEST)


def used():
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def reason(done):
    if done.returncode in (-signal.SIGALRM, -signal.SIGPROF):
        return "it hung"
    said = [line for line in done.stderr.decode(errors="replace").split("\n") if "rror" in line]
    return f"it ended with {done.returncode}: {said[:2]}"


def again(program, reader):
    """What was found before."""
    falls = 0
    for path in sorted((FOUND / reader).glob("*")):
        done = subprocess.run([program, reader, "again", path], capture_output=True)
        if done.returncode:
            print(f"FAIL  {path.relative_to(TOP)}: {reason(done)}", flush=True)
            falls += 1
    return falls


def spoil(program, reader, seconds):
    seed, falls, begun = int(os.environ.get("SEED", "1")), 0, used()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
        folder = pathlib.Path(name)
        files = list(sources(reader, folder))
        while (left := round(seconds - (used() - begun))) > 0:
            done = subprocess.run([program, reader, str(left), str(seed), folder, *files], capture_output=True)
            at = (folder / "now").read_text() if (folder / "now").exists() else ""
            if done.returncode == 0:
                print(done.stdout.decode().strip(), flush=True)
                break
            if not at:
                raise SystemExit(f"fuzz: {program} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
            (FOUND / reader).mkdir(parents=True, exist_ok=True)
            kept = FOUND / reader / f"seed-{at}"
            shutil.copy(folder / "now.bytes", kept)
            print(f"FAIL  {reason(done)}: kept as {kept.relative_to(TOP)}", flush=True)
            falls += 1
            seed = int(at) + 1
    return falls


def main():
    program, minutes, readers = sys.argv[1], float(sys.argv[2]), sys.argv[3:] or READERS
    if unknown := [reader for reader in readers if reader not in READERS]:
        raise SystemExit(f"fuzz: there is no reader {unknown[0]}; there are: {' '.join(READERS)}")
    if not corpus():
        print("skip  The corpus is not here: only files of our own were spoiled.")
    passed = failed = 0
    for reader in readers:
        falls = again(program, reader) + (spoil(program, reader, minutes * 60) if minutes > 0 else 0)
        passed += not falls
        failed += falls
    print(f"fuzz: {passed} passed, {failed} failed, 0 skipped")
    print(f"{used():.0f} seconds of the processor", file=sys.stderr)
    sys.exit(bool(failed))


main()
