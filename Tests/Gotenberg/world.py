"""Papers made by hand, and a small web of this machine: what conversions are tried with."""
import http.server, random, threading, time

import pngs


def pdf(*texts):
    """A PDF with a page for each text, made by hand."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", None, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for text in texts:
        content = f"BT /F 30 Tf 72 700 Td ({text}) Tj ET"
        objects.append(f"<</Length {len(content)}>>\nstream\n{content}\nendstream")
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {len(objects)} 0 R"
                       "/Resources<</Font<</F 3 0 R>>>>>>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>"
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()


PNG = pngs.of_one_colour(4, 4, b"\xff\0\0")


def noise(side):
    """A square picture whose points have nothing to do with each other, as PNG."""
    return pngs.png(side, side, random.Random(3).randbytes(3 * side * side))


class World:
    """A small web of this machine: pages to be fetched, and a mailbox for webhooks."""

    def __init__(self):
        self.seen, self.pages = [], {}
        world = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                world.seen.append((self.command, self.path, dict(self.headers), body))
                status, headers, reply = world.pages.get(self.path, (404, {}, b"nothing"))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if reply is not None:
                    self.send_header("Content-Length", str(len(reply)))
                    self.end_headers()
                    return self.wfile.write(reply)
                # Never at its end, until nobody listens any more.
                self.end_headers()
                self.close_connection = True
                try:
                    for _ in range(600):
                        self.wfile.write(b"x")
                        time.sleep(0.1)
                except OSError:
                    pass

            do_GET = do_POST = do_PATCH = do_PUT = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait(self, path, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for call in list(self.seen):
                if call[1] == path:
                    return call
            time.sleep(0.05)
        raise AssertionError(f"nobody called {path}")
