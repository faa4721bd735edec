"""A mail server with the bad manners of real ones, each for the addresses that ask for it.

    moody.py FOLDER [EVERY]     at one letter in so many the connection is closed, with a 421 or without, and every other time the
                                next one is turned away by its greeting

    grey@    is told to come back later, the first time
    no@      is not wanted
    cut@     is hung up on in the middle of its message, the first time
    drop@    is hung up on when its message is whole, and the message is kept
    hang@    gets no answer at all, the first time
    mute@    gets no answer after its message is whole, and the message is kept
    order@   gets two answers where one belongs, so that all later ones are off by one, the first time
    bye@     is told to go in the middle, with a 421, and hung up on, the first time
    soon@    is told that its message was taken before it was sent, the first time

Each message that was taken over is kept as N.eml.
"""
import socket
import sys
import threading

from peer import serve_until_the_end

folder = sys.argv[1]
every = int(sys.argv[2]) if len(sys.argv) > 2 else 0
lock = threading.Lock()
seen = set()
count = 0
letters = 0
is_full = False


def keep(message):
    global count
    with lock:
        count += 1
        with open(f"{folder}/{count}.eml", "wb") as file:
            file.write(message)


def first_time(address):
    with lock:
        if address in seen:
            return False
        seen.add(address)
        return True


def fate():
    """What becomes of the next letter, each way in its turn."""
    global letters, is_full
    with lock:
        letters += 1
        if every == 0 or letters % every != 0:
            return ""
        is_full = letters // every % 2 == 0
        return "farewell" if is_full else "silence"


def is_turned_away():
    global is_full
    with lock:
        was_full, is_full = is_full, False
        return was_full


def talk(connection):
    with connection:
        lines = connection.makefile("rb")
        say = lambda text: connection.sendall(text.encode() + b"\r\n")
        mood = ""
        if is_turned_away():
            say("421 4.3.2 Too busy, come back later")
            return
        say("220 moody.test ESMTP")
        while line := lines.readline():
            verb = line[:4].upper().strip()
            if verb in (b"EHLO", b"HELO"):
                say("250-moody.test\r\n250 SMTPUTF8")
            elif verb == b"MAIL":
                end = fate()
                if end == "farewell":
                    say("421 4.3.2 Shutting down")
                if end:
                    return
                mood = ""
                say("250 2.1.0 Ok")
            elif verb == b"RCPT":
                address = line.split(b"<")[1].split(b">")[0].decode()
                name = address.split("@")[0].rstrip("0123456789")
                if name == "no":
                    say("550 5.1.1 No such mailbox")
                    continue
                if name in ("grey", "cut", "hang", "order", "soon", "bye") and first_time(address):
                    mood = name
                if name in ("drop", "mute"):
                    mood = name
                if mood == "grey":
                    mood = ""
                    say("451 4.7.1 Greylisted, come back later")
                    continue
                if mood == "bye":
                    say("421 4.7.0 Too many errors")
                    return
                if mood == "hang":
                    while lines.read(1):
                        pass
                    return
                if mood == "order":
                    say("250 2.1.5 Ok\r\n250 2.1.5 Ok, really")
                    continue
                say("250 2.1.5 Ok")
            elif verb == b"DATA":
                if mood == "soon":
                    say("250 2.0.0 Taken already")
                    continue
                say("354 Go ahead")
                message = bytearray()
                while (text := lines.readline()) not in (b".\r\n", b""):
                    message += text[1:] if text.startswith(b".") else text
                    if mood == "cut" and len(message) > 20000:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                        return
                if text == b"":
                    return
                keep(message)
                if mood == "drop":
                    return
                if mood == "mute":
                    while lines.read(1):
                        pass
                    return
                say("250 2.0.0 Taken")
            elif verb == b"RSET" or verb == b"NOOP":
                say("250 Ok")
            elif verb == b"QUIT":
                say("221 Bye")
                return
            else:
                say("500 What?")


def serve(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=talk_carefully, args=(connection,), daemon=True).start()


def talk_carefully(connection):
    try:
        talk(connection)
    except OSError:
        pass


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
serve_until_the_end(listener.getsockname()[1])
