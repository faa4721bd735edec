"""A mail server that thinks about each message and sends reports about it when it is asked to (RFC 3461).

    reporter.py FOLDER [LEAST MOST]      thinks between so many seconds before it answers that it has taken a message over

Each message is kept as N.eml the moment it is whole, with what was asked for it as N.json; if a report was wished for its
arrival, it lies there as N.report, as Postfix writes them, but for the message itself: only its envelope is named.
"""
import asyncio
import json
import random
import sys
import threading

from aiosmtpd.smtp import SMTP

from peer import serve_until_the_end

folder = sys.argv[1]
least, most = (float(word) for word in sys.argv[2:4]) if len(sys.argv) > 3 else (0, 0)
chance = random.Random(2026)
count = 0

REPORT = """Return-Path: <>
From: MAILER-DAEMON@mail.test (Mail Delivery System)
Subject: Successful Mail Delivery Report
To: {sender}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Description: Notification
Content-Type: text/plain

Your message was successfully delivered to the destination listed below.

--b
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.test
Original-Envelope-Id: {envelope}
X-Postfix-Queue-ID: 9B0A11E0064

Final-Recipient: rfc822; {recipient}
Original-Recipient: rfc822;{recipient}
Action: delivered
Status: 2.0.0
Diagnostic-Code: smtp; 250 2.0.0 Ok

--b--
"""


class Handler:
    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        return responses[:-1] + ["250-DSN", responses[-1]]

    async def handle_DATA(self, server, session, envelope):
        global count
        count += 1
        number = count
        with open(f"{folder}/{number}.eml", "wb") as file:
            file.write(envelope.content)
        with open(f"{folder}/{number}.json", "w") as file:
            json.dump({"sender": server.of_sender, "recipients": server.of_recipients}, file)
        if "SUCCESS" in server.of_recipients[0].get("NOTIFY", "").split(","):
            text = REPORT.format(
                sender=envelope.mail_from, envelope=server.of_sender.get("ENVID", ""), recipient=envelope.rcpt_tos[0])
            with open(f"{folder}/{number}.report", "w", newline="\r\n") as file:
                file.write(text)
        await asyncio.sleep(chance.uniform(least, most))
        return "250 2.0.0 Taken as number " + str(number)


class Reporting(SMTP):
    """Takes the words that the package does not know away before it reads the rest."""

    of_sender = {}
    of_recipients = []

    def parted(self, words):
        bare, *options = words.split(" ")
        known = dict(option.partition("=")[::2] for option in options)
        own = {name: known.pop(name) for name in ("RET", "ENVID", "NOTIFY", "ORCPT") if name in known}
        return " ".join([bare] + [f"{name}={value}" if value else name for name, value in known.items()]), own

    async def smtp_MAIL(self, words):
        words, self.of_sender = self.parted(words)
        self.of_recipients = []
        await super().smtp_MAIL(words)

    async def smtp_RCPT(self, words):
        words, own = self.parted(words)
        self.of_recipients = self.of_recipients + [own]
        await super().smtp_RCPT(words)


loop = asyncio.new_event_loop()
listener = loop.run_until_complete(
    loop.create_server(
        lambda: Reporting(Handler(), hostname="mail.test", enable_SMTPUTF8=True, loop=loop, auth_exclude_mechanism=["LOGIN", "PLAIN"]),
        "127.0.0.1", 0))
threading.Thread(target=loop.run_forever, daemon=True).start()
serve_until_the_end(listener.sockets[0].getsockname()[1])
