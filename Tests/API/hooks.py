"""What a program that uses the API does beside asking: another token for each request, so that the limit of requests a
minute for one does not end the check, and another try when the desk says that it is busy and when to come again."""
import itertools
import os
import time

import requests
import schemathesis
from schemathesis.core.transport import Response

tokens = itertools.cycle(os.environ["QUIRE_CHECK_TOKENS"].split())


@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers = case.headers or {}
    case.headers["Authorization"] = "Bearer " + next(tokens)


@schemathesis.hook
def after_call(context, case, response):
    for _ in range(5):
        pause = response.headers.get("retry-after")
        if response.status_code != 503 or not pause:
            return
        print(f"busy for {pause[0]} s: {case.method} {case.path}: {response.content[:200]!r}", flush=True)
        time.sleep(min(int(pause[0]), 10))
        with requests.Session() as session:
            again = Response.from_requests(session.send(response.request, timeout=20), response.verify)
        for part in Response.__slots__:
            setattr(response, part, getattr(again, part))
