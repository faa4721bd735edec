"""Runs the sentences, two at a time, and counts them.

Each worker has a browser and a shared desk of its own; BROWSERS=1 runs one sentence after another.
"""

import multiprocessing
import os
import queue
import sys
import time
import traceback

import sentences
import first_steps  # noqa: F401  (each module brings its sentences along)
import papers  # noqa: F401
import filing  # noqa: F401
import filling_in  # noqa: F401
import replying  # noqa: F401
import keeping  # noqa: F401
import leafing  # noqa: F401
import arranging  # noqa: F401
import smaller  # noqa: F401
import comparing  # noqa: F401
import marking  # noqa: F401
import redacting  # noqa: F401
import instep  # noqa: F401
import reading  # noqa: F401
import apart  # noqa: F401
import packets  # noqa: F401
import bundles  # noqa: F401
import sending  # noqa: F401
import sources  # noqa: F401
import own_cards  # noqa: F401
import looks  # noqa: F401
import signing  # noqa: F401
import converting  # noqa: F401
import scanning  # noqa: F401
import guide  # noqa: F401
import staying  # noqa: F401
import waiting  # noqa: F401
import fresh  # noqa: F401
import people  # noqa: F401
import in_sight  # noqa: F401
import trusting  # noqa: F401
import told  # noqa: F401
from desk import Browser


def told(browser, sentence, body):
    """What became of one sentence, and how to say so."""
    start = time.monotonic()
    try:
        body(browser)
    except sentences.Skipped as why:
        return "skipped", f"skipped  {sentence}: {why}"
    except Exception as failure:  # one broken promise must not hide the others
        place = traceback.extract_tb(failure.__traceback__)
        lines = "".join(traceback.format_list([frame for frame in place if "Tests/Browser" in frame.filename]))
        return "failed", f"FAILED   {sentence}\n         {failure}\n{lines}"
    finally:
        browser.tidy()
    return "passed", f"ok       {sentence} ({time.monotonic() - start:.1f} s)"


def work(waiting, answers):
    with Browser() as browser:
        while (number := waiting.get()) is not None:
            answers.put((number, *told(browser, *sentences.known[number])))
    answers.put(None)


def told_alone(number):
    """A sentence that failed beside another, once more with the machine to itself: a busy machine is no broken promise."""
    with Browser() as browser:
        return told(browser, *sentences.known[number])


def main() -> int:
    wanted = [word.lower() for word in sys.argv[1:]]
    chosen = [
        number for number, (sentence, _) in enumerate(sentences.known)
        if not wanted or any(word in sentence.lower() for word in wanted)
    ]
    # The long ones first, so that no worker is left alone with one at the end.
    chosen.sort(key=lambda number: not sentences.is_long(sentences.known[number][0]))
    count = max(1, min(int(os.environ.get("BROWSERS", "2")), len(chosen)))
    start = multiprocessing.get_context("spawn")
    waiting, answers = start.Queue(), start.Queue()
    for number in chosen + [None] * count:
        waiting.put(number)
    workers = [start.Process(target=work, args=(waiting, answers)) for _ in range(count)]
    for worker in workers:
        worker.start()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    told_of, again = 0, []
    while told_of < len(chosen):
        try:
            answer = answers.get(timeout=5)
        except queue.Empty:
            if any(worker.is_alive() for worker in workers):
                continue
            break
        if answer is not None:
            number, outcome, words = answer
            told_of += 1
            if outcome == "failed" and count > 1:
                again.append((number, words))
            else:
                counts[outcome] += 1
                print(words, flush=True)
    for worker in workers:
        worker.join()
    for number, first in again:
        outcome, words = told_alone(number)
        counts[outcome] += 1
        # Held only alone: counted as what it is, and said, on the one line that a summary keeps.
        why = " ".join(first.split())[:600]
        print(words if outcome == "failed" else words.replace("ok      ", "unsteady", 1) + f"; first {why}", flush=True)
    if told_of < len(chosen):  # a worker that died took its sentence along
        counts["failed"] += len(chosen) - told_of
        print(f"FAILED   {len(chosen) - told_of} sentences were never finished")
    print(f"browser: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
