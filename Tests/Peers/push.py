"""The push service of a browser's maker, and the browser behind it: takes what a desk sends, checks who says it comes from
whom (RFC 8292), opens it with the browser's own key (RFC 8291), and keeps what it said. Given the folder for its certificate."""
import base64
import datetime
import ipaddress
import json
import os
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import NameOID

from peer import serve_until_the_end

folder = sys.argv[1]
curve = ec.SECP256R1()
own = ec.generate_private_key(curve)
secret = os.urandom(16)
told = []
answers = {}


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(words):
    return base64.urlsafe_b64decode(words + "=" * (-len(words) % 4))


def derived(key, salt, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def opened(body):
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    theirs, record = body[21:21 + length], body[21 + length:]
    assert len(record) <= size
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(curve, theirs))
    mixed = derived(shared, secret, b"WebPush: info\0" + point(own.public_key()) + theirs, 32)
    key = derived(mixed, salt, b"Content-Encoding: aes128gcm\0", 16)
    plain = AESGCM(key).decrypt(derived(mixed, salt, b"Content-Encoding: nonce\0", 12), record, None)
    assert plain.endswith(b"\2"), "it is not the last record"
    return json.loads(plain[:-1])


def claims(header):
    parts = dict(part.strip().split("=", 1) for part in header.removeprefix("vapid ").split(","))
    head, body, signature = parts["t"].split(".")
    assert json.loads(data(head))["alg"] == "ES256"
    number = data(signature)
    assert len(number) == 64
    key = ec.EllipticCurvePublicKey.from_encoded_point(curve, data(parts["k"]))
    key.verify(
        encode_dss_signature(int.from_bytes(number[:32], "big"), int.from_bytes(number[32:], "big")),
        f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    return {**json.loads(data(body)), "k": parts["k"]}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, said=None):
        body = json.dumps(said).encode() if said is not None else b""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/browser":
            return self.answer(200, {"p256dh": text(point(own.public_key())), "auth": text(secret)})
        self.answer(200, told)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.startswith("/be/"):
            _, _, device, status = self.path.split("/")
            answers[device] = int(status)
            return self.answer(204)
        device = self.path.rsplit("/", 1)[1]
        try:
            said = {
                "device": device, "said": opened(body), "claims": claims(self.headers["Authorization"]),
                "encoding": self.headers["Content-Encoding"], "ttl": self.headers["TTL"],
            }
        except Exception as failure:  # noqa: BLE001 - whatever is wrong with it is what the test wants to see
            told.append({"device": device, "wrong": repr(failure)})
            return self.answer(400)
        status = answers.get(device, 201)
        if status == 201:
            told.append(said)
        self.answer(status)


def certificate():
    key = ec.generate_private_key(curve)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256()))
    paths = [os.path.join(folder, "push.pem"), os.path.join(folder, "push.key")]
    with open(paths[0], "wb") as file:
        file.write(made.public_bytes(serialization.Encoding.PEM))
    with open(paths[1], "wb") as file:
        file.write(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return paths


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*certificate())
server.socket = context.wrap_socket(server.socket, server_side=True)


threading.Thread(target=server.serve_forever, daemon=True).start()
serve_until_the_end(server.server_address[1])
