"""A web server with bad manners, for the client that must survive it."""
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from peer import serve_until_the_end

connections = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self):
        global connections
        connections += 1
        super().setup()

    def log_message(self, *_):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status, headers=(), body=b""):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_any(self):
        url = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        body = self.body()
        if url.path == "/echo":
            told = {
                "method": self.command,
                "path": self.path,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "count": len(body),
                "sha256": hashlib.sha256(body).hexdigest(),
            }
            self.answer(200, [("X-Empty", ""), ("X-Twice", "a"), ("X-Twice", "b")], json.dumps(told).encode())
        elif url.path == "/redirect":
            self.answer(int(query.get("status", 302)), [("Location", query["to"])], b"moved")
        elif url.path == "/circle":
            self.answer(302, [("Location", "/circle")])
        elif url.path == "/bytes":
            self.answer(200, [], b"q" * int(query["n"]))
        elif url.path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"e" * 65536)
            except OSError:
                self.close_connection = True
        elif url.path == "/boast":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 60))
            self.end_headers()
            self.close_connection = True
        elif url.path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"ten bytes.")
            self.close_connection = True
        elif url.path == "/silent":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.flush()
            time.sleep(30)
        elif url.path == "/headers":
            self.send_response(200)
            for number in range(2000):
                self.send_header(f"X-{number}", "h" * 100)
            self.end_headers()
        elif url.path == "/nonsense":
            self.wfile.write(b"\x00\xff\x00 this is not HTTP\r\n\r\n")
            self.close_connection = True
        elif url.path.startswith("/says/"):
            # A machine of the own network that has something to tell: /says/STATUS/...
            said = b'{"detail": "psst, the safe is open"}'
            if query.get("list-type"):
                said = b"<Error><Code>psst</Code><Message>the safe is open</Message></Error>"
            self.answer(int(url.path.split("/")[2]), [("Location", "http://psst.safe/open")], said)
        elif url.path == "/connections":
            self.answer(200, [], str(connections).encode())
        else:
            self.answer(404, [], b"nothing here")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_PROPFIND = do_MKCOL = handle_any


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
serve_until_the_end(server.server_port)
