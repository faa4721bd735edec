"""Takes what an expression finds out of a paper with PyMuPDF, page after page as its documentation says, and prints the seconds.

    redact.py EXPRESSION PAPER OUT [proof]

With `proof` it looks afterwards as Quire does: it searches again, and compares a picture of each page outside of the boxes.
"""
import re
import sys
import time

import numpy
import pymupdf

expression, paper, out = re.compile(sys.argv[1]), sys.argv[2], sys.argv[3]


def redacted():
    boxes = {}
    with pymupdf.open(paper) as document:
        for page in document:
            for text in set(expression.findall(page.get_text())):
                for place in page.search_for(text):
                    page.add_redact_annot(place, fill=(0, 0, 0))
                    boxes.setdefault(page.number, []).append(place)
            if page.number in boxes:
                page.apply_redactions()
        document.save(out, garbage=4, deflate=True)
    return boxes


def looked_at(boxes):
    with pymupdf.open(paper) as before, pymupdf.open(out) as after:
        for number, places in boxes.items():
            assert not expression.search(after[number].get_text()), f"page {number + 1} still says it"
            pictures = [document[number].get_pixmap(dpi=72, colorspace=pymupdf.csGRAY) for document in (before, after)]
            for picture in pictures:
                for place in places:
                    picture.set_rect(pymupdf.IRect(place + (-2, -2, 2, 2)) & picture.irect, (0,))
            was, now = (numpy.frombuffer(picture.samples, dtype=numpy.uint8).astype(int) for picture in pictures)
            assert (abs(was - now) > 48).sum() < 50, f"page {number + 1} looks different"


start = time.monotonic()
boxes = redacted()
if sys.argv[4:] == ["proof"]:
    looked_at(boxes)
print(time.monotonic() - start)
