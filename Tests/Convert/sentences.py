"""Every sentence is a function whose name says what holds. `trial.holds` names the options it proves."""
import os, shutil, subprocess, sys, traceback

from trial import SENTENCES, options_told
import kinds, options, steps  # noqa: F401  (each brings its sentences along)

THERE = {
    "chromium": any(map(os.path.exists, ["/usr/lib/chromium/chromium", "/usr/lib/chromium/chromium-headless-shell"])),
    "libreoffice": os.path.exists("/usr/lib/libreoffice/program/soffice.bin"),
    **{program: bool(shutil.which(program)) for program in ["gs", "tesseract", "pdftoppm", "ebook-convert"]},
    "corpus": bool(kinds.CORPUS),
    # Whoever may, hides programs from one call.
    "unshare": subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0,
}
passed = failed = skipped = 0
wanted = sys.argv[2:]
for function, _, needs in SENTENCES:
    name = function.__name__.replace("_", " ")
    if wanted and not any(word in name for word in wanted):
        continue
    if missing := [need for need in needs if not THERE[need]]:
        skipped += 1
        print("skipped:", name + ":", ", ".join(missing), "missing", flush=True)
        continue
    try:
        function()
        passed += 1
        print("ok   ", name, flush=True)
    except Exception:
        failed += 1
        print("FAIL ", name)
        traceback.print_exc(limit=4)
if not wanted:
    told, known = set().union(*options_told()), {option for _, options, _ in SENTENCES for option in options}
    if told == known:
        passed += 1
        print("ok    every option and every step that help names is tried, and no other")
    else:
        failed += 1
        print("FAIL  not tried:", sorted(told - known), "not in the help:", sorted(known - told))
print(f"conversions: {passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed else 0)
