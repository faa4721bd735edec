"""The sheet in a photo: what the browser makes of it is what the desk makes of it, to the last dot."""

import functools
import gzip
import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading

import pngs
from sentences import holds

# The module's functions are told in Sources/Paper/Scanning/BrowserDoor.swift. Its memory may have grown after each call, so
# what is seen of it is looked at anew.
MADE_HERE = """async (look) => {
    const { instance } = await WebAssembly.instantiateStreaming(fetch('scan.wasm'))
    const scan = instance.exports
    const photo = await createImageBitmap(await (await fetch('letter.png')).blob())
    const canvas = new OffscreenCanvas(photo.width, photo.height)
    const context = canvas.getContext('2d')
    context.drawImage(photo, 0, 0)
    const { data } = context.getImageData(0, 0, photo.width, photo.height)
    const [pixels, said] = [scan.scan_take(data.length), scan.scan_take(23 * 4)]
    new Uint8Array(scan.memory.buffer, pixels, data.length).set(data)
    const page = scan.scan_page(pixels, photo.width, photo.height, 0, look, 0, -1, 12000000, said)
    const numbers = [...new Float32Array(scan.memory.buffer, said, 15)]
    const [width, height] = numbers.slice(10, 12)
    const made = new Uint8Array(scan.memory.buffer, page, width * height * 4)
    let ink = ''
    for (let i = 0; i < made.length; i += 4) ink += made[i] ? '0' : '1'
    for (const memory of [page, pixels, said]) scan.scan_give_back(memory)
    return { corners: numbers.slice(0, 8), width, height, ink }
}"""


@holds("A browser makes the same page of a photo as the desk does, dot for dot")
def same_page(browser):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["bin/scan-module", folder / "scan.wasm"], check=True)
        packed = len(gzip.compress((folder / "scan.wasm").read_bytes(), 9))
        assert packed <= 46_000, f"the module takes {packed} bytes packed"
        (folder / "letter.png").write_bytes(pngs.sheet_on_a_table())
        (folder / "index.html").write_text("<!doctype html><title>Scan</title>")
        told = subprocess.run(
            [os.environ["QUIRE"], "scan", folder / "letter.png", "--out", folder / "letter.pdf", "--look", "bw",
             "--no-text", "--json"], capture_output=True, check=True).stdout
        desk = json.loads(told)["pages"][0]
        subprocess.run(["pdfimages", folder / "letter.pdf", folder / "page"], check=True)

        class Quiet(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=name))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            browser.contexts.append(browser.chromium.new_context())
            page = browser.contexts[-1].new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            here = page.evaluate(MADE_HERE, 3)
        finally:
            server.shutdown()
            server.server_close()
        assert (here["width"], here["height"]) == (desk["width"], desk["height"]), (here["width"], desk)
        for mine, (x, y) in zip(zip(here["corners"][::2], here["corners"][1::2]), desk["corners"]):
            assert abs(mine[0] - x) < 0.06 and abs(mine[1] - y) < 0.06, (here["corners"], desk["corners"])
        rows = (folder / "page-000.pbm").read_bytes()[-(-(-desk["width"] // 8) * desk["height"]):]
        line = -(-desk["width"] // 8)
        for y in range(desk["height"]):
            bits = bin(int.from_bytes(b"\1" + rows[y * line:(y + 1) * line], "big"))[3:][:desk["width"]]
            assert bits == here["ink"][y * desk["width"]:(y + 1) * desk["width"]], f"row {y} differs"
