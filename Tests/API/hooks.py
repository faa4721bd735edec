"""Takes another token for each request, so that the limit of requests a minute for one does not end the check."""
import itertools
import os

import schemathesis

tokens = itertools.cycle(os.environ["QUIRE_CHECK_TOKENS"].split())


@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers = case.headers or {}
    case.headers["Authorization"] = "Bearer " + next(tokens)
