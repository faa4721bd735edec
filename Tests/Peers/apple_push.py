"""Apple's push service, as far as passes are concerned: takes what comes by HTTP/2 from who shows a certificate that the authority
in the folder vouches for, and writes each down as a line of `told`. A token that begins with `gone`, `bad` or `busy` is answered so."""
import json
import socket
import ssl
import subprocess
import sys
import threading

import h2.config
import h2.connection
import h2.events

from peer import serve_until_the_end

folder = sys.argv[1]
answers = {
    "gone": (410, {"reason": "Unregistered"}), "bad": (400, {"reason": "BadDeviceToken"}),
    "busy": (503, {"reason": "ServiceUnavailable"}),
}


def context():
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/push.key", "-out",
         f"{folder}/push.pem", "-days", "2", "-subj", "/CN=push", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{folder}/push.pem", f"{folder}/push.key")
    made.load_verify_locations(f"{folder}/apple.pem")
    made.verify_mode = ssl.CERT_REQUIRED
    made.set_alpn_protocols(["h2"])
    return made


def answer(connection, stream, headers, body, who):
    device = headers[":path"].removeprefix("/3/device/")
    status, said = next((each for word, each in answers.items() if device.startswith(word)), (200, None))
    with open(f"{folder}/told", "a") as file:
        file.write(json.dumps({
            "device": device, "method": headers[":method"], "topic": headers.get("apns-topic"), "body": body.decode(),
            "who": who, "status": status}) + "\n")
    connection.send_headers(stream, [(":status", str(status))], end_stream=said is None)
    if said is not None:
        connection.send_data(stream, json.dumps(said).encode(), end_stream=True)


def serve(line):
    try:
        line = tls.wrap_socket(line, server_side=True)
    except (ssl.SSLError, OSError):
        return
    assert line.selected_alpn_protocol() == "h2"
    who = dict(part for name in line.getpeercert()["subject"] for part in name).get("userId", "")
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    line.sendall(connection.data_to_send())
    open_streams = {}
    while data := line.recv(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                open_streams[event.stream_id] = ({k.decode(): v.decode() for k, v in event.headers}, b"")
            elif isinstance(event, h2.events.DataReceived):
                headers, body = open_streams[event.stream_id]
                open_streams[event.stream_id] = (headers, body + event.data)
                connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                answer(connection, event.stream_id, *open_streams.pop(event.stream_id), who)
        line.sendall(connection.data_to_send())


def accept():
    while True:
        threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()


tls = context()
door = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, daemon=True).start()
serve_until_the_end(door.getsockname()[1])
