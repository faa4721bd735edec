"""A paper made smaller: what it would save, how its pages would look, and only then kept."""

import random
import subprocess
import zlib

from playwright.sync_api import expect

from desk import accessible, add, eventually, more, picture
from filing import paper
from keeping import everywhere, fits


def scan(*lines):
    """Pages that are pictures, as scanners give them, 300 dots to an inch."""
    drawn = subprocess.run(["pdftoppm", "-gray", "-r", "300", "-"], input=paper(*lines), capture_output=True, check=True).stdout
    objects, kids, at = [b"<< /Type /Catalog /Pages 2 0 R >>", b""], [], 0
    while at < len(drawn):
        head, size, depth, rest = drawn[at:].split(b"\n", 3)
        width, height = map(int, size.split())
        at = len(drawn) - len(rest) + width * height
        # No dot is quite like its neighbour, as it is with a real lamp.
        grain = random.Random(1).randbytes(width * height)
        pixels = zlib.compress(bytes(dot - min(dot, more >> 4) for dot, more in zip(rest[:width * height], grain)), 1)
        objects.append(b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 "
                       b"/Filter /FlateDecode /Length %d >>\nstream\n" % (width, height, len(pixels)) + pixels + b"\nendstream")
        stream = b"595 0 0 842 0 0 cm /P Do"
        objects.append(b"<< /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream")
        objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /P %d 0 R >> >> "
                       b"/Contents %d 0 R >>" % (len(objects) - 1, len(objects)))
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [" + b" ".join(kids) + b"] /Count %d >>" % len(kids)
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table
                  + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out)))


@everywhere("A paper is made smaller only after its pages were looked at, and comes back as it was")
def smaller(browser, page, press, name):
    add(page, "Scan.pdf", scan("The harbour wall", "and the old mill"))
    page.goto("/documents")
    press(page.get_by_role("link", name="Scan.pdf").first)
    page.wait_for_url("**/documents/*-*")
    place = page.url
    more(page)
    press(page.get_by_role("button", name="Make smaller"))
    page.wait_for_url("**/smaller")
    ways = page.locator(".smaller-way")
    expect(ways).to_have_count(3, timeout=60_000)
    press(ways.filter(has_text="Strong"))
    expect(ways.filter(has_text="Strong").get_by_role("link")).to_have_attribute("aria-current", "true")
    expect(page.locator(".smaller-ways")).to_contain_text("Nothing is lost")
    press(page.get_by_role("link", name="Next"))
    expect(page.get_by_text("Page 2 of 2")).to_be_visible()
    accessible(page, f"smaller, {name}")
    fits(page)
    picture(page, f"smaller-{name}")
    press(page.get_by_text("Does it have to be below a size?"))
    page.get_by_label("At most").fill("plenty")
    press(page.get_by_role("button", name="Try it"))
    expect(page.get_by_text("“plenty” is no size.")).to_be_visible()
    # What follows a job looks anew after a moment, and leaves it standing.
    page.wait_for_timeout(1000)
    expect(page.get_by_text("“plenty” is no size.")).to_be_visible()
    page.get_by_label("At most").fill("100 kB")
    press(page.get_by_role("button", name="Try it"))
    expect(ways).to_have_count(4, timeout=60_000)
    expect(ways.filter(has_text="At most 100 kB").get_by_role("link")).to_have_attribute("aria-current", "true")
    picture(page, f"smaller-fit-{name}")
    press(page.get_by_role("link", name="Enlarge"))
    sides = page.locator(".smaller-paper.is-large")
    expect(sides).to_have_count(2)
    before, after = sides.all()
    eventually(lambda: all(side.evaluate("side => side.scrollWidth > side.clientWidth && side.scrollHeight > side.clientHeight")
                           for side in (before, after)))
    before.evaluate("side => side.scrollTo(90, 60)")
    eventually(lambda: after.evaluate("side => [side.scrollLeft, side.scrollTop].join()") == "90,60")
    accessible(page, f"smaller and enlarged, {name}")
    fits(page)
    picture(page, f"smaller-large-{name}")
    press(page.get_by_role("button", name="Keep this one"))
    page.wait_for_url(place, wait_until="commit")
    told = page.locator(".toast")
    expect(told).to_contain_text("There is a new version")
    now = page.request.get(place, headers={"Accept": "application/json"}).json()
    assert now["version"] == 2 and now["byteCount"] < 1_500_000, now
    press(told.get_by_role("button", name="Undo"))
    eventually(lambda: page.request.get(place, headers={"Accept": "application/json"}).json()["version"] == 3)
    page.goto(place)
