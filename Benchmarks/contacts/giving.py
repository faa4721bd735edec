"""How long somebody waits who is given a card: giving.py ADDRESS, which is that of the card

Said are: the first byte of its page, as somebody sees it who comes from outside, and a pass for Apple Wallet, made and signed
anew each time.
"""

import http.client
import statistics
import sys
import time
from urllib.parse import urlsplit

place = urlsplit(sys.argv[1])
line = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
line.connect()


def took(path, whole):
    """Milliseconds until the first byte has come, or all of it."""
    start = time.perf_counter()
    line.request("GET", path)
    answer = line.getresponse()
    first = answer.read(1)
    seconds = time.perf_counter() - start
    rest = answer.read()
    if whole:
        seconds = time.perf_counter() - start
    if answer.status != 200:
        sys.exit(f"{path}: {answer.status} {(first + rest)[:300]}")
    return seconds * 1000


def spread(what, path, budget, count, whole=False):
    for _ in range(10):
        took(path, whole)
    times = sorted(took(path, whole) for _ in range(count))
    late = times[int((count - 1) * 0.95)]
    print(f"{what}: p50 {statistics.median(times):.1f} ms, p95 {late:.1f} ms; budget p95 {budget} ms")


spread("first byte of a card's page", place.path, 5, 300)
spread("a signed Apple pass", place.path + ".pkpass", 20, 100, whole=True)
