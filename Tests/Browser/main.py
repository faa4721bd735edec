"""Runs the sentences, one after another, and counts them."""

import sys
import time
import traceback

import sentences
import first_steps  # noqa: F401  (each module brings its sentences along)
import papers  # noqa: F401
import reading  # noqa: F401
import apart  # noqa: F401
import packets  # noqa: F401
import sending  # noqa: F401
import sources  # noqa: F401
from desk import Browser


def main() -> int:
    wanted = [word.lower() for word in sys.argv[1:]]
    passed = failed = skipped = 0
    with Browser() as browser:
        for sentence, body in sentences.known:
            if wanted and not any(word in sentence.lower() for word in wanted):
                continue
            start = time.monotonic()
            try:
                body(browser)
            except sentences.Skipped as why:
                skipped += 1
                print(f"skipped  {sentence}: {why}", flush=True)
            except Exception as failure:  # one broken promise must not hide the others
                failed += 1
                print(f"FAILED   {sentence}\n         {failure}", flush=True)
                place = traceback.extract_tb(failure.__traceback__)
                print("".join(traceback.format_list([frame for frame in place if "Tests/Browser" in frame.filename])))
            else:
                passed += 1
                print(f"ok       {sentence} ({time.monotonic() - start:.1f} s)", flush=True)
            finally:
                browser.tidy()
    print(f"browser: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
