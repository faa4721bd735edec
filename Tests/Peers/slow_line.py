"""A line to a server's socket on which each answer takes its time: SOCKET MILLISECONDS. Whoever says "?" hears how many there were."""
import socket
import sys
import threading
import time

from peer import serve_until_the_end

path, pause = sys.argv[1], int(sys.argv[2]) / 1000
answers = 0
counting = threading.Lock()


def carry(source, target, is_answer):
    global answers
    try:
        while piece := source.recv(1 << 18):
            if is_answer:
                with counting:
                    answers += 1
                time.sleep(pause)
            target.sendall(piece)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def connect(caller):
    if caller.recv(1, socket.MSG_PEEK) == b"?":
        with counting:
            caller.sendall(str(answers).encode())
        return caller.close()
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=carry, args=(caller, server, False), daemon=True).start()
    carry(server, caller, True)


def listen(door):
    while True:
        caller, _ = door.accept()
        threading.Thread(target=connect, args=(caller,), daemon=True).start()


door = socket.create_server(("127.0.0.1", 0), backlog=64)
threading.Thread(target=listen, args=(door,), daemon=True).start()
serve_until_the_end(door.getsockname()[1])
