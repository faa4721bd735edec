"""A WebDAV server over a folder:  dav.py FOLDER  (user ana, password geheim)"""
import logging
import sys
import threading

from cheroot import wsgi
from wsgidav.wsgidav_app import WsgiDAVApp

from peer import serve_until_the_end

logging.disable(logging.CRITICAL)
app = WsgiDAVApp({
    "provider_mapping": {"/files of ana": sys.argv[1]},
    "simple_dc": {"user_mapping": {"*": {"ana": {"password": "geheim"}}}},
    "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
    "verbose": 0,
})
server = wsgi.Server(("127.0.0.1", 0), app)
server.prepare()
threading.Thread(target=server.serve, daemon=True).start()
serve_until_the_end(server.bind_addr[1])
