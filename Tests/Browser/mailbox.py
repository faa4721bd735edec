"""A mail server on this machine that keeps what arrives, and can be told to wait."""

import asyncio
import email
import email.policy
import threading

from aiosmtpd.smtp import SMTP


class Mailbox:
    """`with Mailbox() as mailbox:` listens on `mailbox.port`.

    `nobody@…` is refused for good; a connection that brings mail for `drop@…` is cut when all of it has been said, so
    that nobody can know whether it arrived. While `hold()` is on, no mail is answered.
    """

    def __enter__(self):
        self.mails = []
        self._free = threading.Event()
        self._free.set()
        self._loop = asyncio.new_event_loop()
        # The browser has a loop of its own on the first thread.
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listener = asyncio.run_coroutine_threadsafe(
            self._loop.create_server(lambda: SMTP(self, hostname="mail.test", loop=self._loop), "127.0.0.1", 0),
            self._loop).result(10)
        self.port = listener.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_):
        self._free.set()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    def hold(self):
        self._free.clear()

    def let_go(self):
        self._free.set()

    def to(self, address):
        """The mails that arrived for one address."""
        return [mail for mail in self.mails if address in mail.recipients]

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 There is no such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if any(address.startswith("drop@") for address in envelope.rcpt_tos):
            server.transport.abort()
            return "451 never heard"
        while not self._free.is_set():
            await asyncio.sleep(0.02)
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        mail.recipients = list(envelope.rcpt_tos)
        self.mails.append(mail)
        return f"250 2.0.0 Taken as number {len(self.mails)}"
