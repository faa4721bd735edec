"""Fills spoiled forms for a while and starts again after each fall; what brought the program down is kept.

    fuzz.py PROGRAM SECONDS [SEED [FOLDER]]        seconds of the processor
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import traps

PROGRAM, SECONDS = sys.argv[1], int(sys.argv[2])
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
keep = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else "fuzz-found")
LARGEST = 200_000


def forms(folder):
    """Our own form of traps, and the forms of the corpus that are small enough to be spoiled often."""
    traps.build(folder / "traps.pdf")
    yield folder / "traps.pdf"
    top = pathlib.Path(__file__).resolve().parent.parent.parent
    named = os.environ.get("QUIRE_CORPUS")
    places = [pathlib.Path(named)] if named else [top.parent / "shared/corpus", top.parent.parent / "shared/corpus"]
    for place in places:
        if (place / "form").is_dir():
            yield from (p for p in sorted((place / "form").glob("*.pdf")) if p.stat().st_size < LARGEST)
            return
    print("skip  The corpus of real forms is not here: only a form of our own was spoiled.")


def used():
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def main():
    global seed
    falls, tries = [], 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
        folder = pathlib.Path(name)
        sources = list(forms(folder))
        while (left := round(SECONDS - used())) > 0:
            done = subprocess.run([PROGRAM, str(left), str(seed), folder, *sources], capture_output=True)
            at = (folder / "now").read_text() if (folder / "now").exists() else ""
            if done.returncode == 0:
                tries += int(done.stdout.split()[0])
                print(done.stdout.decode().strip())
                break
            if not at:
                raise SystemExit(f"fuzz: {PROGRAM} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
            keep.mkdir(exist_ok=True)
            shutil.copy(folder / "now.pdf", keep / f"{at}.pdf")
            why = "it hung" if done.returncode in (-signal.SIGALRM, -signal.SIGPROF) else f"it ended with {done.returncode}"
            said = [line for line in done.stderr.decode(errors="replace").split("\n") if "rror" in line]
            print(f"FAIL  form {at}: {why}: {said[:2]}", flush=True)
            falls.append(at)
            tries += int(at) - seed + 1
            seed = int(at) + 1
    print(f"fuzz: {1 if not falls else 0} passed, {len(falls)} failed, 0 skipped")
    print(f"{tries} forms spoiled and tried in {used():.0f} seconds of the processor", file=sys.stderr)
    sys.exit(bool(falls))


main()
