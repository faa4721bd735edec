"""Passes requests on to a server, and spoils some of them:  faulty.py PORT SEED PERCENT

Of a hundred requests, so many go wrong, each in one of these ways: no answer at all, 500 before it was done, 503 after
it was done, the line cut before the answer, the request cut off in the middle, the answer cut off in the middle, and an
answer whose clock is a year wrong. SEED makes it fall out the same way every time.
"""
import random
import socket
import sys
import threading

from peer import serve_until_the_end

target, chance, percent = int(sys.argv[1]), random.Random(int(sys.argv[2])), int(sys.argv[3])
lock = threading.Lock()
FAULTS = ["silence", "500", "503 after", "cut", "half request", "half answer", "clock"]


def message(stream):
    """The head and the body of one request or answer; None at the end."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        head += line
    fields = {}
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip()
    return head, fields


def body(stream, fields, method=b"", is_answer=False, status=0):
    if is_answer and (method == b"HEAD" or status in (204, 304) or status < 200):
        return b""
    if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
        whole = b""
        while True:
            size = stream.readline()
            whole += size
            count = int(size.split(b";")[0], 16)
            whole += stream.read(count + 2)
            if count == 0:
                return whole
    if b"content-length" in fields:
        return stream.read(int(fields[b"content-length"]))
    return stream.read() if is_answer else b""


def talk(client):
    with client, client.makefile("rb") as requests:
        while True:
            got = message(requests)
            if got is None:
                return
            head, fields = got
            if fields.get(b"expect", b"").lower() == b"100-continue":
                client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                head = b"\r\n".join(l for l in head.split(b"\r\n") if not l.lower().startswith(b"expect:"))
            content = body(requests, fields)
            method = head.split(b" ", 1)[0]
            with lock:
                fault = chance.choice(FAULTS) if chance.randrange(100) < percent else None
            if fault == "silence":
                return
            if fault == "500":
                client.sendall(b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            with socket.create_connection(("127.0.0.1", target)) as server:
                # One request to a connection, so that its end is the end of the answer.
                lines = [l for l in head.split(b"\r\n") if not l.lower().startswith(b"connection:")]
                server.sendall(b"\r\n".join(lines[:1] + [b"Connection: close"] + lines[1:]))
                if fault == "half request":
                    server.sendall(content[: len(content) // 2])
                    return
                server.sendall(content)
                with server.makefile("rb") as answers:
                    while True:
                        reply = message(answers)
                        if reply is None:
                            return
                        answer, answer_fields = reply
                        status = int(answer.split(b" ")[1])
                        if status >= 200:
                            break
                    rest = body(answers, answer_fields, method, True, status)
            if fault == "cut":
                return
            if fault == "503 after":
                client.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            if fault == "clock":
                answer = b"\r\n".join(
                    b"Date: Sat, 01 Jan 2000 00:00:00 GMT" if l.lower().startswith(b"date:") else l
                    for l in answer.split(b"\r\n"))
            if fault == "half answer":
                client.sendall(answer + rest[: len(rest) // 2])
                return
            client.sendall(answer + rest)
            if b"content-length" not in answer_fields and b"transfer-encoding" not in answer_fields:
                if method != b"HEAD" and status not in (204, 304):
                    return


def carefully(client):
    try:
        talk(client)
    except (OSError, ValueError, IndexError):
        pass


listener = socket.create_server(("127.0.0.1", 0), backlog=64)


def serve():
    while True:
        client, _ = listener.accept()
        threading.Thread(target=carefully, args=(client,), daemon=True).start()


threading.Thread(target=serve, daemon=True).start()
serve_until_the_end(listener.getsockname()[1])
