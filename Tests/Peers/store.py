"""An S3 store (moto) that answers 403 to any request whose signature does not hold.

The check is written from the specification of AWS Signature Version 4 with nothing but hashlib and hmac, so that it
shares no line and no idea with the signer it judges.
"""
import hashlib
import hmac
import io
import logging
import re
import threading
from urllib.parse import unquote_to_bytes

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from peer import serve_until_the_end

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"


def coded(raw, keep=b""):
    safe = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + keep
    return "".join(chr(byte) if byte in safe else "%%%02X" % byte for byte in raw)


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def objection(environ, body):
    given = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request,SignedHeaders=([^,]+),Signature=([0-9a-f]{64})",
        environ.get("HTTP_AUTHORIZATION", ""))
    if not given:
        return "no signature"
    _, day, region, service, names, signature = given.groups()
    path, _, query = environ["RAW_URI"].partition("?")
    pairs = sorted(
        tuple(coded(unquote_to_bytes(part)) for part in (pair + "=").split("=")[:2]) for pair in query.split("&") if pair)
    lines = []
    for name in names.split(";"):
        key = name.upper().replace("-", "_")
        value = environ[key] if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else environ["HTTP_" + key]
        lines.append(name + ":" + " ".join(value.split()) + "\n")
    if names.split(";") != sorted(names.split(";")) or "host" not in names.split(";"):
        return "the signed headers are not in order"
    stated = environ["HTTP_X_AMZ_CONTENT_SHA256"]
    if stated != hashlib.sha256(body).hexdigest():
        return "the digest is not the body's"
    request = "\n".join([
        environ["REQUEST_METHOD"], coded(unquote_to_bytes(path), b"/"), "&".join(f"{a}={b}" for a, b in pairs), "".join(lines),
        names, stated])
    stamp = environ["HTTP_X_AMZ_DATE"]
    scope = f"{day}/{region}/{service}/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n" + hashlib.sha256(request.encode()).hexdigest()
    key = b"AWS4" + SECRET.encode()
    for part in (day, region, service, "aws4_request"):
        key = mac(key, part)
    return None if hmac.compare_digest(mac(key, text).hex(), signature) else "the signature does not hold"


def guarded(app):
    def answer(environ, start):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        why = objection(environ, body)
        if why:
            start("403 Forbidden", [("Content-Type", "application/xml")])
            return [f"<?xml version='1.0'?><Error><Code>SignatureDoesNotMatch</Code><Message>{why}</Message></Error>".encode()]
        return app(environ, start)
    return answer


logging.disable(logging.CRITICAL)
server = make_server("127.0.0.1", 0, guarded(DomainDispatcherApplication(create_backend_app)), threaded=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
serve_until_the_end(server.server_port)
