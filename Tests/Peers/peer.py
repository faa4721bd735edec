"""What every peer does: say where it listens, and end when the test that started it does."""
import os
import sys


def serve_until_the_end(port):
    print("ready", port, flush=True)
    sys.stdin.read()
    os._exit(0)
