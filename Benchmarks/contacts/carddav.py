"""How long a program that keeps an address book in step waits: carddav.py NAME BOOK USER PASSWORD

BOOK is the address of an address book. Said are: the first list of what is in it (sync-collection, without cards), its cards
by hundreds (addressbook-multiget), one card written, and what is new since (sync-collection with the token before).
"""

import base64
import http.client
import re
import statistics
import sys
import time
from urllib.parse import urlsplit

NAMES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"'
CHANGES = 40


class Book:
    def __init__(self, address, user, password):
        parts = urlsplit(address)
        self.path = parts.path
        self.line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
        self.line.connect()
        key = base64.b64encode(f"{user}:{password}".encode()).decode()
        self.headers = {"Authorization": f"Basic {key}", "Content-Type": "application/xml; charset=utf-8"}

    def ask(self, method, path, body, **headers):
        """The answer, and how many milliseconds it took."""
        headers = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        start = time.perf_counter()
        self.line.request(method, path, body.encode(), headers)
        response = self.line.getresponse()
        answer = response.read().decode()
        took = (time.perf_counter() - start) * 1000
        if response.status not in (200, 201, 204, 207):
            sys.exit(f"{method} {path}: {response.status} {answer[:300]}")
        return answer, took

    def news(self, token=""):
        return self.ask(
            "REPORT", self.path,
            f"<D:sync-collection {NAMES}><D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level>"
            "<D:prop><D:getetag/></D:prop></D:sync-collection>", Depth="1")

    def cards(self, places):
        wanted = "".join(f"<D:href>{place}</D:href>" for place in places)
        return self.ask(
            "REPORT", self.path,
            f"<C:addressbook-multiget {NAMES}><D:prop><D:getetag/><C:address-data/></D:prop>{wanted}</C:addressbook-multiget>",
            Depth="1")


def places(answer):
    """Of cards, whatever the prefix of the namespace."""
    return [place for place in re.findall(r"<(?:\w+:)?href>([^<]+)</(?:\w+:)?href>", answer) if place.endswith(".vcf")]


def token(answer):
    return re.search(r"<(?:\w+:)?sync-token>([^<]+)</", answer).group(1)


def spread(times):
    times = sorted(times)
    return f"p50 {statistics.median(times):.1f} ms, p95 {times[int((len(times) - 1) * 0.95)]:.1f} ms"


def main():
    name, address, user, password = sys.argv[1:]
    book = Book(address, user, password)
    answer, first = book.news()
    there = places(answer)
    again = statistics.median(book.news()[1] for _ in range(5))
    print(f"{name:10} {len(there)} cards: first list {first:.0f} ms, again {again:.0f} ms")

    start = time.perf_counter()
    count = 0
    for begin in range(0, len(there), 100):
        answer, _ = book.cards(there[begin:begin + 100])
        count += answer.count("BEGIN:VCARD")
    seconds = time.perf_counter() - start
    assert count == len(there), f"{count} of {len(there)} cards came"
    print(f"{name:10} all cards, by hundreds: {seconds:.2f} s, {count / seconds:.0f} cards/s")

    known = token(book.news()[0])
    writing, reading = [], []
    for number in range(CHANGES):
        place = there[number * 97 % len(there)]
        card = book.ask("GET", place, "")[0].replace("END:VCARD", f"X-BENCH:{number}\r\nEND:VCARD")
        writing.append(book.ask("PUT", place, card, Content_Type="text/vcard; charset=utf-8")[1])
        answer, took = book.news(known)
        reading.append(took)
        assert places(answer) == [place], f"{places(answer)[:3]} and not {place}"
        known = token(answer)
    print(f"{name:10} one card written: {spread(writing)}; what is new: {spread(reading)}")


main()
