"""A CardDAV server (Radicale) over a folder:  carddav.py FOLDER  (user ana, password geheim)"""
import logging
import sys
import threading

from cheroot import wsgi
from radicale import Application, config

from peer import serve_until_the_end

folder = sys.argv[1]
with open(folder + "/users", "w") as users:
    users.write("ana:geheim\n")
settings = config.load()
settings.update({
    "auth": {"type": "htpasswd", "htpasswd_filename": folder + "/users", "htpasswd_encryption": "plain", "delay": "0"},
    "storage": {"filesystem_folder": folder},
    "logging": {"level": "critical"},
}, "the test", privileged=True)
logging.disable(logging.CRITICAL)
server = wsgi.Server(("127.0.0.1", 0), Application(settings))
server.prepare()
threading.Thread(target=server.serve, daemon=True).start()
serve_until_the_end(server.bind_addr[1])
