"""Runs another program's server for a test:  served.py webdav FOLDER | served.py s3

webdav is rclone's WebDAV server over a folder; s3 is moto's S3 store. Both are other people's programs, with their own
idea of the standards.
"""
import os
import shutil
import socket
import subprocess
import sys
import time

from peer import serve_until_the_end

with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
if sys.argv[1] == "webdav":
    command = [
        shutil.which("rclone"), "serve", "webdav", sys.argv[2], "--addr", f"127.0.0.1:{port}",
        "--user", "ana", "--pass", "geheim", "--config", "/dev/null", "--vfs-cache-mode", "off", "-q"]
else:
    command = [os.path.dirname(sys.executable) + "/moto_server", "-H", "127.0.0.1", "-p", str(port)]
# Ends with this one, however this one ends.
child = subprocess.Popen(
    ["setpriv", "--pdeathsig", "TERM", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL)
for _ in range(300):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        break
    except OSError:
        if child.poll() is not None:
            sys.exit(f"{command[0]} ended at once")
        time.sleep(0.1)
serve_until_the_end(port)
