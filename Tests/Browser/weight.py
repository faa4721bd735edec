"""What a first visit to a page costs: the bytes of each file on the way, headers included, and when the first is seen on slow 3G.

    Tests/Browser/run weight              the desk's home, on a phone
    Tests/Browser/run weight /scan        another page

Slow 3G is 400 kbit/s with 400 ms for each answer to begin, as browsers pretend it. It is no part of `bin/check`: milliseconds
tell of the machine.
"""

import statistics
import sys

from desk import PHONE, Browser, set_up

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
SEEN = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def visit(browser, state, origin, place, slow):
    """Somebody who is signed in and has nothing of the desk in their browser."""
    context = browser.chromium.new_context(base_url=origin, viewport=PHONE, storage_state=state, service_workers="block")
    page, names, sizes = context.new_page(), {}, {}
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.responseReceived", lambda told: names.__setitem__(told["requestId"], told["response"]["url"]))
    wire.on("Network.loadingFinished", lambda told: sizes.__setitem__(told["requestId"], told["encodedDataLength"]))
    if slow:
        wire.send("Network.emulateNetworkConditions", SLOW)
    page.goto(place)
    page.wait_for_load_state("networkidle")
    seen = page.evaluate(SEEN)
    context.close()
    return {names[number][len(origin):]: size for number, size in sizes.items() if names.get(number, "").startswith(origin)}, seen


def main(place) -> int:
    with Browser() as browser:
        desk = browser.new_desk()
        page = browser.page(desk, PHONE)
        set_up(page)
        state = page.context.storage_state()
        # What packs best is made after the first wish.
        visit(browser, state, desk.origin, place, slow=False)
        page.wait_for_timeout(10_000)
        sizes, _ = visit(browser, state, desk.origin, place, slow=False)
        for name, size in sorted(sizes.items(), key=lambda each: -each[1]):
            print(f"{size:8} {name}")
        seen = statistics.median(visit(browser, state, desk.origin, place, slow=True)[1] for _ in range(5))
        print(f"{sum(sizes.values()):8} bytes in {len(sizes)} files; on slow 3G the first is seen after {seen:.0f} ms, in the middle of 5 visits")
        browser.tidy()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "/"))
