"""Makes a desk with a large library: papers with words on all their pages, in folders, with tags.

    generate.py QUIRE HOME PAPERS PAGES

What takes in papers one by one is measured elsewhere; here they are written into the database together.
"""
import itertools
import pathlib
import random
import sqlite3
import subprocess
import sys
import time

quire, home, papers, pages = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
start = time.monotonic()
dice = random.Random(7)
syllables = [a + b for a in "b c d f g h l m n p r s t v st br tr kl".split() for b in "a e i o u ei au".split()]
words = sorted({"".join(dice.choices(syllables, k=dice.randint(2, 4))) for _ in range(60_000)})
dice.shuffle(words)
# As in every language: few words often, most of them rarely.
weights = list(itertools.accumulate(1 / (place + 3) for place in range(len(words))))


def sentence():
    return " ".join(dice.choices(words, cum_weights=weights, k=14))


sentences = [sentence() for _ in range(40_000)]
(home / "seed").mkdir(parents=True)
(home / "seed" / "seed.txt").write_text("a seed\n")
subprocess.run([quire, "add", "--quiet", str(home / "seed" / "seed.txt")], check=True, env={"QUIRE_HOME": str(home), "PATH": "/usr/bin:/bin"})
db = sqlite3.connect(next(home.glob("*.db")), isolation_level=None)
db.execute("PRAGMA synchronous = OFF")
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA cache_size = -400000")
digest, by, name = db.execute("SELECT digest, added_by, added_by_name FROM document").fetchone()
first = db.execute("SELECT added_at FROM document").fetchone()[0]


def made(number, kind):
    """An id as the desk makes them, in the order of time."""
    return f"018f{number:08x}"[:8] + f"-{number % 65536:04x}-7{kind:03x}-8000-{number:012x}"


def order(text):
    """As `FileName.order`: a run of digits is its length and then the digits."""
    whole, run = "", ""
    for letter in text + "\0":
        if letter.isdigit():
            run += letter
            continue
        if run:
            digits = run.lstrip("0")
            whole += f"{len(digits):03}{digits}"
            run = ""
        whole += "" if letter == "\0" else letter.lower()
    return whole


db.execute("BEGIN")
folders = []
for number in range(200):
    parent = folders[number // 10 - 1] if number >= 10 else None
    folders.append(made(number + 1, 1))
    db.execute("INSERT INTO folder (id, name, name_order, parent, made_at, made_by) VALUES (?, ?, ?, ?, ?, ?)",
               (folders[-1], f"Folder {number}", order(f"Folder {number}"), parent, first, by))
tags = []
for number in range(50):
    tags.append((made(number + 1, 2), words[number + 500]))
    db.execute("INSERT INTO tag (id, name, folded, made_at) VALUES (?, ?, ?, ?)", (*tags[-1], tags[-1][1], first))
start_number = db.execute("SELECT MAX(index_number) FROM document").fetchone()[0]
for batch in range(0, papers, 2_000):
    documents, texts, leaves, worn, folded = [], [], [], [], []
    for number in range(batch, min(batch + 2_000, papers)):
        paper = made(number + 1, 3)
        tag = tags[number % 50] if number % 3 == 0 else None
        called = f"{dice.choice(words).capitalize()} {dice.choice(words)} {number}.pdf"
        at = first - (papers - number) * 60_000
        place = start_number + number + 1
        documents.append((paper, place, called, order(called), called.lower(), digest, dice.randint(1_000, 5_000_000), "application/pdf",
                          at, by, name, at, folders[number % 200], tag[1] if tag else "",
                          f"20{number % 27:02}-{number % 12 + 1:02}-{number % 28 + 1:02}", pages))
        if tag:
            worn.append((paper, tag[0]))
        texts.append((paper, "read", pages, at))
        label = f"{called}\n{tag[1]}" if tag else called
        said = [label.lower().replace(".", " ").replace("\n", " ")]
        leaves.append((place * 65_536, paper, 0, label, said[0]))
        for page in range(1, pages + 1):
            parts = dice.choices(sentences, k=5)
            said.append(" ".join(parts))
            leaves.append((place * 65_536 + page, paper, page, ". ".join(part.capitalize() for part in parts) + ".", ""))
        folded.append((place, said))
    db.executemany("INSERT INTO document (id, index_number, name, name_order, name_search, digest, byte_count, media_type, added_at, added_by,"
                   " added_by_name, changed_at, folder, tag_names, dated, pages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", documents)
    db.executemany("INSERT INTO document_tag (document, tag) VALUES (?, ?)", worn)
    db.executemany("INSERT INTO document_text (document, state, page_count, read_at) VALUES (?, ?, ?, ?)", texts)
    db.executemany("INSERT INTO document_page (number, document, page, text, folded) VALUES (?, ?, ?, ?, ?)", leaves)
    db.executemany("INSERT INTO page_words (rowid, folded) VALUES (?, ?)",
                   ((place * 65_536 + page, text) for place, said in folded for page, text in enumerate(said)))
    db.executemany("INSERT INTO paper_words (rowid, folded) VALUES (?, ?)",
                   ((2 * place + part, text) for place, said in folded for part, text in enumerate([said[0], " ".join(said)])))
db.execute("COMMIT")
db.execute("ANALYZE")
(home / "words").write_text("\n".join(words))
(home / "sentences").write_text("\n".join(sentences[:2_000]))
print(f"made a library of {papers} papers with {papers * pages} pages in {time.monotonic() - start:.0f} s", flush=True)
