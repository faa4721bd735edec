"""A CardDAV server (xandikos) over a folder, with one book in it, to which anybody may come:  xandikosbook.py FOLDER"""
import asyncio
import socket
import sys
import threading
import time

from xandikos.__main__ import main

from peer import serve_until_the_end

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]


def tell():
    while True:
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.02)
    serve_until_the_end(port)


# The server itself wants to be the one that hears signals.
threading.Thread(target=tell, daemon=True).start()
asyncio.run(main([
    "serve", "-d", sys.argv[1], "-l", "127.0.0.1", "-p", str(port), "--defaults", "--no-detect-systemd",
    "--current-user-principal", "/ana/",
]))
