"""How fast vobject reads cards: contacts.py FILE"""

import sys
import time

import vobject

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    text = file.read()
start = time.perf_counter()
count = sum(1 for _ in vobject.readComponents(text))
seconds = time.perf_counter() - start
print(f"read: {count} cards, {int(count / seconds)} cards/s")
