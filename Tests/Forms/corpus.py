"""Fills the real forms of the corpus and asks other programs what came out.

    corpus.py QUIRE [--all] [--only NUMBER] [--keep FOLDER]

Without --all each form is filled with one script (Latin, accented, Arabic, Chinese or Hindi, in turn); with it, with all.
"""
import csv
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

import pypdf

import differences
import eyes

QUIRE = sys.argv[1]
EVERYTHING = "--all" in sys.argv
ONLY = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
KEEP = pathlib.Path(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else None
SCRIPTS = {
    # Pieces that belong together, so that a value is never cut inside a letter.
    "latin": list("Maria Lopez Garcia"),
    "accented": list("Zoë Çağlar-Łukasz"),
    "arabic": list("مريم الأحمد"),
    "chinese": list("王小明先生"),
    "hindi": ["न", "म", "स्ते", " ", "कृ", "ष्ण"],
}
passed = failed = skipped = 0
explained = {}


def check(title, holds, said=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        if failed <= 400:
            print(f"FAIL  {title}: {said}"[:600])
    return holds


def limit(viewer, kind):
    """Known limits of the viewers, told by name instead of failing; counted at the end."""
    explained[(viewer, kind)] = explained.get((viewer, kind), 0) + 1


def corpus():
    named = os.environ.get("QUIRE_CORPUS")
    top = pathlib.Path(__file__).resolve().parent.parent.parent
    places = [pathlib.Path(named)] if named else [top.parent / "shared/corpus", top.parent.parent / "shared/corpus"]
    return next((p for p in places if (p / "form").is_dir()), None)


@functools.cache
def listed(form):
    """The fields of a file, which nothing here writes again, as we list them."""
    done = subprocess.run([QUIRE, "fields", form, "--json"], capture_output=True, timeout=900)
    return json.loads(done.stdout) if done.returncode == 0 else None


def fill(form, records, folder, *words):
    """Fills each record; gives the files and, for each, the findings by field."""
    table, report = folder.with_suffix(".json"), folder.with_suffix(".csv")
    table.write_text(json.dumps(records))
    eyes.run(QUIRE, "fill", form, table, "--out", folder, "--name", "{row}", "--report", report, "--quiet", "--proof", *words, ok=(0, 1))
    findings = [{} for _ in records]
    for row in csv.DictReader(report.open()):
        number = int(row["row"]) - 1
        if 0 <= number < len(records):
            findings[number].setdefault(row["field"], []).append((row["kind"], row["message"]))
    files = [folder / f"{number + 1:03}.pdf" for number in range(len(records))]
    return files, findings


# Golden fills


def golden(folder, cases):
    for case in cases:
        form = corpus() / case["file_template"]
        # What is no state of a box ("0") means off there.
        values = {name: "Off" if case["types"].get(name) in ("Button", "checkbox", "radio") and value in ("0", "") else value
                  for name, value in case["values"].items()}
        files, findings = fill(form, [values], folder / case["id"])
        if not check(f"golden {case['id']}: is filled", files[0].exists(), findings):
            continue
        ours, theirs = (eyes.pypdf_values(pypdf.PdfReader(f)) for f in (files[0], corpus() / case["file_expected"]))
        mine = {f["name"]: f for f in listed(files[0])["fields"]}
        for name, wanted in case["values"].items():
            said = [text(v) for v in ours.get(name, [None])]
            expected = theirs.get(name, [None])
            check(f"golden {case['id']}: {name} is {wanted!r}", all(same_state(s, wanted) for s in said) and len(said) >= len(expected), said)
            check(f"golden {case['id']}: {name} reads as {wanted!r} with us", name in mine and same_state(text(mine[name]["value"]), wanted), mine.get(name))
        for name in theirs:
            if name not in case["values"]:
                check(f"golden {case['id']}: {name} is left alone", text(ours.get(name, [None])[0]) == text(theirs[name][0]), ours.get(name))


def text(value):
    if isinstance(value, list):
        value = "\n".join(value) if value else ""
    return "" if value is None else value.replace("\r\n", "\n").replace("\r", "\n")


def same_state(said, wanted):
    return said == text(wanted) or (wanted in ("0", "", "Off") and said in ("", "Off"))


# Field lists

KINDS = {"text": {"text", "barcode"}, "checkbox": {"checkBox"}, "radio": {"radio"}, "pushbutton": {"pushButton"},
         "choice": {"combo", "list"}, "signature": {"signature"}, "?": {"unknown"}}


def facts(form):
    file = corpus() / "facts" / f"{form.stem}.json"
    said = listed(form)
    if not file.exists() or said is None:
        return
    wanted = json.loads(file.read_text())
    known = differences.FACTS.get(form.name[:3], {})
    ours, theirs = {}, {}
    for field in said["fields"]:
        ours.setdefault(field["name"], []).append(field)
    for field in wanted["fields"]:
        theirs.setdefault(field["name"], []).append(field)
    for name in sorted(set(ours) | set(theirs)):
        if name in known:
            continue
        if not check(f"facts {form.name}: {name} is in both lists", name in ours and name in theirs, "only ours" if name in ours else "only theirs"):
            continue
        mine, other = ours[name], theirs[name]
        check(f"facts {form.name}: {name}: kind", {f["kind"] for f in mine} <= set().union(*(KINDS[f["type"]] for f in other)), (mine[0]["kind"], other[0]["type"]))
        places = sorted([p["page"]] + [round(n) for n in p["rectangle"]] for f in mine for p in f["places"] if p["page"])
        expected = sorted([w["page"]] + [round(n) for n in rectangle(w["rect"])] for f in other for w in f["widgets"] if w.get("page"))
        near = len(places) == len(expected) and all(abs(a - b) <= 1 for p, e in zip(places, expected) for a, b in zip(p, e))
        check(f"facts {form.name}: {name}: places", near, (places, expected))
        check(f"facts {form.name}: {name}: length", {f["maximumLength"] or None for f in mine} == {f.get("maxlen") or None for f in other},
              (mine[0]["maximumLength"], other[0].get("maxlen")))
        states = {s for f in mine for s in f["states"]}
        check(f"facts {form.name}: {name}: states", states == {s.removeprefix("/") for f in other for some in f.get("on_states") or [] for s in some},
              (states, other[0].get("on_states")))
        check(f"facts {form.name}: {name}: options", sum(len(f["options"]) for f in mine if f["kind"] in ("combo", "list"))
              == sum(len(f.get("options") or []) for f in other if f["type"] == "choice"), "")
        value = other[0].get("value")
        if value is not None and other[0]["type"] in ("text", "checkbox", "radio"):
            flat = value if isinstance(value, list) else [value]
            check(f"facts {form.name}: {name}: value", text(mine[0]["value"]) in (text([str(v).removeprefix("/") for v in flat]), text([str(v) for v in flat])),
                  (mine[0]["value"], value))


def rectangle(numbers):
    return [min(numbers[0], numbers[2]), min(numbers[1], numbers[3]), max(numbers[0], numbers[2]), max(numbers[1], numbers[3])]


# Every field of every form


def value_for(field, script, turn):
    """A value this field takes, in the script where the field allows it, short enough for its place."""
    if field["kind"] in ("checkBox", "radio"):
        states = field["states"] or ["Yes"]
        return states[turn % len(states)]
    if field["kind"] in ("combo", "list") and "editable" not in field["flags"]:
        return field["options"][turn % len(field["options"])]["export"] if field["options"] else None
    if field["kind"] not in ("text", "combo"):
        return None
    room = min((p["rectangle"][2] - p["rectangle"][0] for p in field["places"]), default=100)
    tall = min((p["rectangle"][3] - p["rectangle"][1] for p in field["places"]), default=20)
    if tall > 2 * room:
        room = tall
    length = field["maximumLength"] or 1000
    if field["format"] not in (None, "script"):
        usual = {"number": "1234", "percent": "12", "zip": "12345", "zipPlusFour": "123456789", "phone": "2025550123",
                 "socialSecurity": "123456789", "date": "2026-02-21", "time": "10:30"}[field["format"]]
        return usual[:length]
    pieces, count, out = SCRIPTS[script], 0, ""
    for piece in pieces:
        if count + len(piece) > min(length, max(1, int(room / (9 if script in ("chinese", "hindi") else 6.5)))):
            break
        out, count = out + piece, count + len(piece)
    return out.strip() or SCRIPTS[script][0][:length]


def kept_value(field, value):
    """What the field holds afterwards. A date is brought into the pattern the form's own script reads it by: left as it
    was given, that script would refuse it the next time somebody touches the field."""
    if "password" in field["flags"]:
        return None
    if field["format"] != "date" or not field["pattern"] or value != "2026-02-21":
        return value
    parts = {"yyyy": "2026", "yy": "26", "mmmm": "February", "mmm": "Feb", "mm": "02", "m": "2", "dddd": "Saturday",
             "ddd": "Sat", "dd": "21", "d": "21", "HH": "00", "h": "12", "MM": "00", "tt": "am", "ss": "00"}
    pattern = field["pattern"]
    if re.search("[DY]", pattern) and not re.search("[mdyHhst]", pattern):
        pattern = pattern.lower()
    return re.sub("y{4}|y{2}|m{1,4}|d{1,4}|HH|h|MM|tt|ss", lambda part: parts[part[0]], pattern)


def shown(field, value):
    """The letters one must see; None when only that something is seen counts."""
    if field["kind"] in ("combo", "list"):
        return next((o["display"] for o in field["options"] if o["export"] == value), value)
    if "password" in field["flags"]:
        return "*" * len(value)
    if field["format"] not in (None, "script"):
        return None
    return value


def every_field(form, number, folder):
    said = listed(form)
    if said is None:
        done = subprocess.run([QUIRE, "fields", form], capture_output=True)
        return check(f"{form.name}: cannot be read, and that is known", form.name[:3] in differences.REFUSED, done.stderr.decode())
    scripts = list(SCRIPTS) if EVERYTHING else [list(SCRIPTS)[number % len(SCRIPTS)]]
    by_name = {}
    for field in said["fields"]:
        by_name.setdefault(field["name"], field)
    records = [{name: v for name, f in by_name.items() if (v := value_for(f, script, turn)) is not None}
               for turn, script in enumerate(scripts)]
    try:
        files, findings = fill(form, records, folder / "filled")
    except eyes.Trouble as trouble:
        return check(f"{form.name}: is refused, and that is known", form.name[:3] in differences.REFUSED, str(trouble))
    if form.name[:3] in differences.REFUSED:
        return check(f"{form.name}: is refused", False, "it was filled")
    empty = eyes.pictures(form, folder / "empty")
    template = pypdf.PdfReader(form)
    if template.is_encrypted:
        template.decrypt("")
    pages, whole = [eyes.Page(p) for p in template.pages], [eyes.Page(p, cut=False) for p in template.pages]
    before = None
    try:
        before = (eyes.poppler_words(form), eyes.mupdf_letters(form, [p.unit for p in pages]))
    except eyes.Trouble:
        pass
    flat, flat_findings = [], []
    try:
        flat, flat_findings = fill(form, records, folder / "flat", "--flatten")
    except eyes.Trouble as trouble:
        check(f"{form.name}: is not flattened, and that is known", form.name[:3] in differences.NOT_FLATTENED, str(trouble))
    for turn, script in enumerate(scripts):
        title = f"{form.name} {script}"
        if not check(f"{title}: is filled and proven", files[turn].exists(), str(findings[turn])[:300]):
            continue
        drawn = eyes.pictures(files[turn], folder / f"seen{turn}")
        look(title, form, files[turn], by_name, records[turn], findings[turn], pages, whole, empty, before, drawn)
        if flat and check(f"{title}: is flattened", flat[turn].exists(), str(flat_findings[turn])[:300]):
            compare(title, drawn, flat[turn], folder / f"flat{turn}")


def look(title, form, path, by_name, record, findings, pages, whole, empty, before, drawn):
    done = subprocess.run(["qpdf", "--check", str(path)], capture_output=True)
    check(f"{title}: qpdf --check is clean", done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")[-300:])
    reader = pypdf.PdfReader(path)
    by_qpdf, by_pypdf = eyes.qpdf_values(path), eyes.pypdf_values(reader)
    poppler_letters, by_poppler = eyes.poppler_words(path), eyes.poppler_values(path)
    mupdf_letters = eyes.mupdf_letters(path, [p.unit for p in pages])
    places = eyes.mupdf_values(path)
    fields = {f["name"]: f for f in listed(path)["fields"]}
    for name, value in record.items():
        field, kinds = by_name[name], [k for k, _ in findings.get(name, [])]
        label = f"{title}: {name[-60:]}"
        if "notSeen" in kinds:
            check(f"{label}: is on no page", name not in by_pypdf, "")
            continue
        if "noSuchChoice" in kinds or "notFillable" in kinds:
            check(f"{label}: takes its value", False, findings[name])
            continue
        kept = kept_value(field, value)
        check(f"{label}: is kept", name in fields and text(fields[name]["value"]) == text(kept), (fields.get(name, {}).get("value"), kept))
        for reader_name, values in (("qpdf", by_qpdf), ("pypdf", by_pypdf)):
            read = values.get(name)
            if read is None:
                check(f"{label}: is known to {reader_name}", False, "no such field")
                continue
            check(f"{label}: is read by {reader_name}", all(text(v if v is None or isinstance(v, (str, list)) else str(v)) == text(kept) for v in read), (read, kept))
        if field["kind"] == "text" and kept is not None and name in by_poppler:
            check(f"{label}: is read by poppler", all(text(v) == text(kept) for v in by_poppler[name]), (by_poppler[name], kept))
        for place in field["places"]:
            if not place["page"] or place["hidden"]:
                continue
            page = place["page"] - 1
            if page >= len(pages):
                continue
            box = pages[page].box(place["rectangle"])
            width, height = box[2] - box[0], box[3] - box[1]
            if width < 3 or height < 3:
                continue
            if field["kind"] in ("checkBox", "radio"):
                continue
            wanted = shown(field, value)
            near = [v for n, r, k, v in places if n == page and all(abs(a - b * pages[page].unit) < 3 * pages[page].unit for a, b in zip(r, box))]
            if near and field["kind"] == "text" and kept is not None and wanted is not None:
                check(f"{label}: is read by mutool", text(kept) in [text(v) for v in near if isinstance(v, str)], (near, kept))
            if "clipped" in kinds:
                continue
            for viewer, letters, old in (("poppler", poppler_letters, before and before[0]), ("mutool", mupdf_letters, before and before[1])):
                # A list shows all its options before and after.
                seen = letters.within(page, box, old if field["kind"] != "list" else None)
                if wanted is not None and eyes.plain(wanted) not in (eyes.plain(seen), eyes.plain(seen)[::-1]):
                    seen = eyes.poppler_within(path, page, whole[page].box(place["rectangle"])) if viewer == "poppler" else letters.within(page, box)
                if wanted is None:
                    check(f"{label}: is seen in {viewer}", eyes.plain(seen) != "", (seen, value))
                    continue
                visible(label, title, viewer, wanted, seen, field)
    marks(title, by_name, record, findings, pages, empty, drawn)


def visible(label, title, viewer, wanted, seen, field):
    want, have = eyes.plain(wanted), eyes.plain(seen)
    if field["kind"] == "list":
        return check(f"{label}: is seen in {viewer}", want in have, (seen, wanted))
    if have in (want, want[::-1]):
        return check(f"{label}: is seen in {viewer}", True)
    # Where the page itself has letters in the place, or two places overlap, all are read.
    if want in have or want[::-1] in have:
        return check(f"{label}: is seen in {viewer}", True)
    if not Counter(want) - Counter(have):
        # Both programs put letters of several fonts, joined letters and marks into an order of their own.
        limit(viewer, f"all letters of a {title.rsplit(' ', 1)[1]} value are read, in another order")
        return check(f"{label}: is seen in {viewer}", True)
    check(f"{label}: is seen in {viewer}", False, (seen, wanted))


def marks(title, by_name, record, findings, pages, empty, drawn):
    """A box that is ticked now looks different from the empty form's, one that is not looks the same."""
    if len(empty) != len(drawn):
        return check(f"{title}: has as many pages as before", False, (len(empty), len(drawn)))
    for name, value in record.items():
        field = by_name[name]
        if field["kind"] not in ("checkBox", "radio") or text(field["value"]) == value:
            continue
        differs = 0
        for place in field["places"]:
            if place["page"] and not place["hidden"] and place["page"] <= len(pages):
                unit = 1
                box = [n * unit for n in pages[place["page"] - 1].box(place["rectangle"])]
                if box[2] - box[0] < 2 or box[3] - box[1] < 2:
                    differs += 9
                    continue
                differs += drawn[place["page"] - 1].differs(empty[place["page"] - 1], box)
            else:
                differs += 9
        check(f"{title}: {name[-60:]}: the mark is seen", differs > 1.0, f"{differs:.1f} dots of ink")


def compare(title, theirs, flat, stem):
    """The flattened page is the page as it was seen."""
    done = subprocess.run(["qpdf", "--check", str(flat)], capture_output=True)
    check(f"{title}: flattened: qpdf --check is clean", done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")[-300:])
    check(f"{title}: flattened: no field is left", "/AcroForm" not in pypdf.PdfReader(flat).trailer["/Root"], "")
    ours = eyes.pictures(flat, stem)
    if not check(f"{title}: flattened: all pages are there", len(ours) == len(theirs), (len(ours), len(theirs))):
        return
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        if (a.width, a.height) != (b.width, b.height):
            check(f"{title}: flattened: page {number} has its size", False, "")
            continue
        worst, where = 0, None
        for top in range(0, 0 if a.same(b) else a.height, 24):
            for left in range(0, a.width, 24):
                differs = a.differs(b, (left, top, left + 24, top + 24))
                if differs > 3:
                    # Letters stand on whole dots in poppler: the same place may be rounded up here and down there, which
                    # moves their ink; a letter that is missing loses it.
                    differs = a.lacks(b, (left, top, left + 24, top + 24))
                if differs > worst:
                    worst, where = differs, (left, top)
        check(f"{title}: flattened: page {number} looks the same", worst < 6, f"{worst:.1f} dots of ink differ near {where}")


def main():
    found = corpus()
    if found is None:
        print("skip  The corpus of real forms is not here; QUIRE_CORPUS names it.")
        print("corpus: 0 passed, 0 failed, 1 skipped")
        return
    forms = sorted((found / "form").glob("*.pdf"))
    with tempfile.TemporaryDirectory() as name:
        folder = KEEP or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        if not ONLY or ONLY == "golden":
            golden(folder, json.loads((found / "golden/cases.json").read_text()))
        for number, form in enumerate(forms):
            if ONLY and not form.name.startswith(ONLY):
                continue
            place = folder / form.name[:3]
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            before = failed
            try:
                facts(form)
                every_field(form, number, place)
            except eyes.Trouble as trouble:
                check(f"{form.name}: can be looked at", False, str(trouble))
            if ONLY or failed > before:
                print(f"{form.name}: {failed - before} failures", file=sys.stderr)
            if KEEP is None:
                shutil.rmtree(place)
    for (viewer, kind), count in sorted(explained.items()):
        print(f"known  {viewer}: {kind}: {count} times")
    print(f"corpus: {passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)


main()
