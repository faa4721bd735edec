"""A real mailbox: Dovecot over a folder of mails, for one user, ana, whose password is geheim.

What was sent lies in Gesendet, and the server says so.

    imap.py FOLDER                          mails are put into FOLDER/mail/new
    imap.py FOLDER MODE CERTIFICATE KEY     MODE: tls (from the first byte), starttls (nobody signs in without)
"""
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time

import peer  # closes what is not ours

folder = os.path.abspath(sys.argv[1])
mode = sys.argv[2] if len(sys.argv) > 4 else "plain"
security = "ssl = no\ndisable_plaintext_auth = no"
if mode != "plain":
    # `imaps` is encrypted from the first byte.
    security = f"ssl = {'yes' if mode == 'tls' else 'required'}\ndisable_plaintext_auth = yes\n" \
        f"ssl_cert = <{sys.argv[3]}\nssl_key = <{sys.argv[4]}"
run = f"{folder}/run"
mail = f"{folder}/mail"
for part in ("cur", "new", "tmp"):
    os.makedirs(f"{mail}/{part}", exist_ok=True)
os.makedirs(run, exist_ok=True)

# Dovecot gives no mail to root, and only root may become somebody else.
is_root = os.getuid() == 0
owner = pwd.getpwnam("nobody" if is_root else pwd.getpwuid(os.getuid()).pw_name)
if is_root:
    for place, names, files in os.walk(folder):
        os.chown(place, owner.pw_uid, owner.pw_gid)
        for name in files:
            os.chown(f"{place}/{name}", owner.pw_uid, owner.pw_gid)
    os.chmod(folder, 0o755)
internal = "dovecot" if is_root else owner.pw_name
login = "dovenull" if is_root else owner.pw_name

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]

with open(f"{folder}/dovecot.conf", "w") as file:
    file.write(f"""
protocols = imap
listen = 127.0.0.1
base_dir = {run}
state_dir = {run}
log_path = {folder}/dovecot.log
{security}
default_internal_user = {internal}
default_login_user = {login}
default_internal_group = {internal}
first_valid_uid = 1
mail_location = maildir:{mail}
namespace inbox {{
  inbox = yes
  mailbox Gesendet {{
    auto = create
    special_use = \\Sent
  }}
}}
mail_uid = {owner.pw_uid}
mail_gid = {owner.pw_gid}
passdb {{
  driver = static
  args = password=geheim
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={folder}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {0 if mode == "tls" else port}
  }}
  inet_listener imaps {{
    port = {port if mode == "tls" else 0}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
""")

server = subprocess.Popen([shutil.which("dovecot") or "/usr/sbin/dovecot", "-F", "-c", f"{folder}/dovecot.conf"])
for _ in range(200):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as probe:
            if mode == "tls" or probe.recv(16).startswith(b"* OK"):
                break
    except OSError:
        pass
    if server.poll() is not None:
        sys.exit(f"dovecot ended; see {folder}/dovecot.log")
    time.sleep(0.05)
print("ready", port, flush=True)
sys.stdin.read()
server.terminate()
server.wait()
