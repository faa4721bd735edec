"""A mail server whose mood depends on the address, and which shows what it understood of each message.

    mail.py MODE FOLDER [CERTIFICATE KEY]      MODE: plain, starttls, tls, mute (no sign-in offered)

Each message is kept as N.eml, and as N.json the way Python's own mail parser reads it.
"""
import asyncio
import email
import email.policy
import hashlib
import json
import ssl
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult

from peer import serve_until_the_end

mode, folder = sys.argv[1:3]
context = None
if len(sys.argv) > 4:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(sys.argv[3], sys.argv[4])


def understood(envelope):
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    told = {
        "sender": envelope.mail_from,
        "recipients": envelope.rcpt_tos,
        "headers": [[name, str(value)] for name, value in message.items()],
        "names": [[a.display_name, a.addr_spec] for field in ("from", "to", "cc") if message[field] for a in message[field].addresses],
        "defects": [str(defect) for part in message.walk() for defect in part.defects],
        "longest": max(len(line) for line in envelope.content.split(b"\r\n")),
        "bare": envelope.content.replace(b"\r\n", b"").count(b"\n") + envelope.content.replace(b"\r\n", b"").count(b"\r"),
        "attachments": [],
    }
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        told[kind] = part.get_content().replace("\r\n", "\n") if part else None
    for part in message.iter_attachments():
        content = part.get_payload(decode=True)
        told["attachments"].append([part.get_filename(), part.get_content_type(), len(content), hashlib.sha256(content).hexdigest()])
    return told


class Handler:
    count = 0

    async def handle_MAIL(self, server, session, envelope, address, options):
        if address.startswith("banned@"):
            return "550 5.7.1 You are not welcome"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 No such mailbox"
        if address.startswith("full@"):
            return "452 4.2.2 Mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if any(address.startswith("drop@") for address in envelope.rcpt_tos):
            server.transport.abort()
            return "451 never heard"
        if any(address.startswith("spam@") for address in envelope.rcpt_tos):
            return "554-5.6.0 This does not look right\r\n554 5.6.0 to us"
        Handler.count += 1
        with open(f"{folder}/{Handler.count}.eml", "wb") as file:
            file.write(envelope.content)
        with open(f"{folder}/{Handler.count}.json", "w") as file:
            json.dump(understood(envelope) | {"connection": session.peer[1]}, file)
        return "250 2.0.0 Taken as number " + str(Handler.count)


def authenticate(server, session, envelope, mechanism, data):
    right = data.login == b"ana" and data.password == "geheim-ñ".encode()
    return AuthResult(success=right, handled=False)


def server():
    return SMTP(
        Handler(), hostname="mail.test", enable_SMTPUTF8=True, loop=loop,
        tls_context=context if mode == "starttls" else None,
        authenticator=None if mode == "mute" else authenticate, auth_require_tls=False,
        auth_exclude_mechanism=["LOGIN", "PLAIN"] if mode == "mute" else None)


loop = asyncio.new_event_loop()
listener = loop.run_until_complete(
    loop.create_server(server, "127.0.0.1", 0, ssl=context if mode == "tls" else None))
threading.Thread(target=loop.run_forever, daemon=True).start()
serve_until_the_end(listener.sockets[0].getsockname()[1])
