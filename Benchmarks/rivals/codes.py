"""How fast segno draws square codes of the lines of a file, a hundred times each: codes.py FILE"""

import sys
import time

import segno

with open(sys.argv[1], encoding="utf-8") as file:
    texts = [line.replace("\\n", "\r\n") for line in file.read().splitlines()]
start = time.perf_counter()
for _ in range(100):
    codes = [segno.make_qr(text, error="m", boost_error=False) for text in texts]
seconds = time.perf_counter() - start
versions = ", ".join(str(code.version) for code in codes)
print(f"codes of versions {versions}: {int(100 * len(texts) / seconds)} codes/s")
