"""Signs forms with a certificate made on the spot, fills them, and asks poppler and pyHanko whether the signatures
still hold and whether they find more changed than they allow."""
import datetime
import http.server
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.fields import FieldMDPAction, FieldMDPSpec, MDPPerm, SigFieldSpec
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator import ValidationContext

import traps

QUIRE = os.path.abspath(sys.argv[1])
HSM = "/usr/lib/softhsm/libsofthsm2.so"
passed = failed = 0


def check(title, holds, said=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"FAIL  {title}: {said}"[:500])


def certificate(folder):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Notary for tests")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=30))
            .add_extension(x509.KeyUsage(True, True, False, False, False, False, False, False, False), critical=True)
            .sign(key, hashes.SHA256()))
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return signers.SimpleSigner.load(folder / "key.pem", folder / "cert.pem")


def form(path):
    """Two texts and a box, in a field each, without anything a signature would have to allow beside filling."""
    pdf = traps.PDF()
    page, pages = pdf.add(), pdf.add()
    helv = pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    on, off = (pdf.stream("/Type/XObject/Subtype/Form/BBox[0 0 20 20]", content) for content in (b"2 2 16 16 re f", b"2 2 16 16 re s"))
    places = [pdf.add(f"<</Type/Annot/Subtype/Widget/P {page} 0 R/F 4/FT/Tx/T({name})/Rect[50 {y} 300 {y + 20}]>>")
              for name, y in (("name", 700), ("office", 660))]
    places.append(pdf.add(f"<</Type/Annot/Subtype/Widget/P {page} 0 R/F 4/FT/Btn/T(agrees)/Rect[50 620 70 640]"
                          f"/AP<</N<</Yes {on} 0 R/Off {off} 0 R>>>>/AS/Off/V/Off>>"))
    list_of = " ".join(f"{place} 0 R" for place in places)
    pdf.bodies[page - 1] = f"<</Type/Page/Parent {pages} 0 R/MediaBox[0 0 612 792]/Resources<<>>/Annots[{list_of}]>>"
    pdf.bodies[pages - 1] = f"<</Type/Pages/Kids[{page} 0 R]/Count 1>>"
    acro = pdf.add(f"<</Fields[{list_of}]/DR<</Font<</Helv {helv} 0 R>>>>/DA(/Helv 11 Tf 0 g)>>")
    root = pdf.add(f"<</Type/Catalog/Pages {pages} 0 R/AcroForm {acro} 0 R>>")
    path.write_bytes(pdf.bytes(root))


def sign(source, result, signer, level=None, lock=None):
    writer = IncrementalPdfFileWriter(io.BytesIO(source.read_bytes()))
    fields.append_signature_field(writer, SigFieldSpec("boss", box=(50, 500, 300, 560), field_mdp_spec=lock))
    meta = signers.PdfSignatureMetadata(field_name="boss", certify=level is not None, **({"docmdp_permissions": level} if level else {}))
    out = signers.sign_pdf(writer, meta, signer=signer)
    result.write_bytes(out.getvalue())


def fill(template, folder, record, name):
    (folder / "record.json").write_text(json.dumps([record]))
    out = folder / name
    done = subprocess.run([QUIRE, "fill", template, folder / "record.json", "--out", out, "--name", "{row}", "--proof", "--report", folder / f"{name}.csv"],
                          capture_output=True, timeout=60)
    return out / "001.pdf", done, (folder / f"{name}.csv").read_text() if (folder / f"{name}.csv").exists() else ""


def judged(path, context):
    reader = PdfFileReader(open(path, "rb"))
    return validate_pdf_signature(reader.embedded_signatures[0], context)


class Authority:
    """Vouches for a clerk and for a clock, publishes whom it took back, and stamps times: all behind one door."""

    def __init__(self, folder):
        self.folder = folder
        handler = type("Handler", (http.server.BaseHTTPRequestHandler,), {
            "do_GET": lambda h: self.answer_list(h), "do_POST": lambda h: self.answer_stamp(h), "log_message": lambda *_: None})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.run("openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=Root -days 30 -keyout rk.pem -out root.pem; touch index; echo 01 > number; echo 01 > serial")
        (folder / "ca.cnf").write_text("[ca]\ndefault_ca=d\n[d]\ndatabase=index\ncrlnumber=number\ndefault_md=sha256\n")
        (folder / "ts.cnf").write_text(f"[tsa]\ndefault_tsa=one\n[one]\nserial={folder}/serial\ncrypto_device=builtin\nsigner_cert={folder}/Clock.pem\n"
                                       f"certs={folder}/root.pem\nsigner_key={folder}/Clock.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\n"
                                       "ess_cert_id_chain=no\ness_cert_id_alg=sha256\n")
        self.issue("Clerk", "keyUsage=digitalSignature,nonRepudiation")
        self.issue("Clock", "keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping")
        self.run("openssl pkcs12 -export -inkey Clerk.key -in Clerk.pem -certfile root.pem -passout pass:open -out clerk.p12")

    def run(self, script):
        subprocess.run(["sh", "-ec", script], cwd=self.folder, check=True, capture_output=True, timeout=60)

    def issue(self, name, extensions):
        (self.folder / "e.cnf").write_text(f"{extensions}\nauthorityKeyIdentifier=keyid\ncrlDistributionPoints=URI:{self.address}/list\n")
        self.run(f"openssl req -newkey rsa:2048 -nodes -subj /CN={name} -keyout {name}.key -out r.csr;"
                 f"openssl x509 -req -in r.csr -CA root.pem -CAkey rk.pem -CAcreateserial -days 20 -extfile e.cnf -out {name}.pem")

    def answer_list(self, handler):
        self.run("openssl ca -config ca.cnf -gencrl -crldays 7 -cert root.pem -keyfile rk.pem -out l.pem; openssl crl -in l.pem -outform DER -out l.der")
        self.answer(handler, "application/pkix-crl", "l.der")

    def answer_stamp(self, handler):
        (self.folder / "q").write_bytes(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.run("openssl ts -reply -config ts.cnf -queryfile q -out a")
        self.answer(handler, "application/timestamp-reply", "a")

    def answer(self, handler, kind, name):
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        handler.wfile.write((self.folder / name).read_bytes())


def check_for_long(folder):
    """What Quire signs with proofs is checked by pyHanko years later, which asks nobody."""
    authority = Authority(folder)
    home = ["--home", folder / "desk"]
    (folder / "secret").write_text("open")
    form(folder / "lease.pdf")
    steps = [["identity", "import", folder / "clerk.p12", "--password-file", folder / "secret", *home],
             ["sign", folder / "lease.pdf", "--with", "Clerk", "--out", folder / "for-long.pdf", "--timestamp", f"{authority.address}/stamp", "--proofs", *home]]
    for step in steps:
        done = subprocess.run([QUIRE, *step], capture_output=True, timeout=120)
        check(f"signing for long: {step[0]} ends well", done.returncode == 0, done.stderr.decode())
    authority.server.shutdown()
    with open(folder / "for-long.pdf", "rb") as file:
        reader = PdfFileReader(file)
        known = DocumentSecurityStore.read_dss(reader).as_validation_context(
            {"trust_roots": [load_cert_from_pemder(folder / "root.pem")], "allow_fetching": False, "revocation_mode": "require"})
        status = validate_pdf_signature(reader.embedded_signatures[0], known, known)
    check("signing for long: pyHanko finds all it needs in the paper, and asks nobody", status.bottom_line, status.pretty_print_details())
    stamp = status.timestamp_validity
    check("signing for long: and that it is proven when", stamp is not None and stamp.valid and stamp.trusted, stamp)


def check_token(folder):
    """A key that never leaves its token (softhsm2 plays one), reached through what the system knows of."""
    os.environ["SOFTHSM2_CONF"] = str(folder / "softhsm.conf")
    (folder / "tokens").mkdir()
    (folder / "softhsm.conf").write_text(f"directories.tokendir = {folder}/tokens\nobjectstore.backend = file\n")
    (folder / "pin").write_text("123456\n")
    (folder / "wrong").write_text("654321\n")
    tool = ["pkcs11-tool", "--module", HSM, "--token-label", "Drawer", "--login", "--pin", "123456"]

    def run(*command):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)

    run("softhsm2-util", "--init-token", "--free", "--label", "Drawer", "--pin", "123456", "--so-pin", "12345678")
    for number, (name, key) in enumerate((("Ana", "rsa:2048"), ("Ben", "ec -pkeyopt ec_paramgen_curve:P-256"), ("Cleo", "ec -pkeyopt ec_paramgen_curve:P-384")), 1):
        run("sh", "-ec", f"openssl req -x509 -newkey {key} -nodes -subj /CN={name} -days 30 -keyout k.pem -out {name}.pem -addext basicConstraints=critical,CA:FALSE;"
            f"openssl pkcs8 -topk8 -nocrypt -in k.pem -outform DER -out k.der; openssl x509 -in {name}.pem -outform DER -out c.der")
        run(*tool, "--write-object", "k.der", "--type", "privkey", "--id", f"0{number}", "--label", name)
        run(*tool, "--write-object", "c.der", "--type", "cert", "--id", f"0{number}", "--label", name)
    form(folder / "lease.pdf")
    listed = run(QUIRE, "identity", "list", "--smart-cards", "--json")
    names = sorted(one["name"] for one in json.loads(listed.stdout or "{}").get("tokens", []))
    check("a token: whose keys are there is listed without a PIN", names == ["Ana", "Ben", "Cleo"], listed.stdout + listed.stderr)
    for name in ("Ana", "Ben", "Cleo"):
        done = run(QUIRE, "sign", "lease.pdf", "--smart-card", name, "--pin-file", "pin", "--out", f"{name}.pdf")
        check(f"a token: {name} signs with a key that stays in it", done.returncode == 0, done.stderr)
        if done.returncode == 0:
            status = judged(folder / f"{name}.pdf", ValidationContext(trust_roots=[load_cert_from_pemder(folder / f"{name}.pem")], allow_fetching=False))
            check(f"a token: pyHanko finds the signature of {name} intact, valid and trusted", status.bottom_line, status.pretty_print_details())
    for title, more, words in (("a wrong PIN", ["--smart-card", "Ana", "--pin-file", "wrong"], "PIN is wrong"), ("a name it does not have", ["--smart-card", "Dora", "--pin-file", "pin"], "There are: Ana"),
                               ("a library that is none", ["--smart-card", "Ana", "--pin-file", "pin", "--module", "/none.so"], "speaks to cards")):
        done = run(QUIRE, "sign", "lease.pdf", *more, "--out", "refused.pdf")
        check(f"a token: {title} is told in words, and nothing is written", done.returncode != 0 and words in done.stderr and not (folder / "refused.pdf").exists(), done.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        signer = certificate(folder)
        context = ValidationContext(trust_roots=[signer.signing_cert], allow_fetching=False)
        form(folder / "plain.pdf")
        include = FieldMDPSpec(FieldMDPAction.INCLUDE, fields=["office"])
        cases = [("signed", None, None), ("certified for filling", MDPPerm.FILL_FORMS, None),
                 ("certified for notes", MDPPerm.ANNOTATE, None), ("signed with a locked field", None, include)]
        record = {"name": "Zoë 王 مريم", "office": "Room 7", "agrees": True}
        for number, (title, level, lock) in enumerate(cases):
            template = folder / f"template{number}.pdf"
            sign(folder / "plain.pdf", template, signer, level, lock)
            path, done, report = fill(template, folder, record, f"out{number}")
            if not path.exists():
                check(f"{title}: is filled", False, done.stderr.decode())
                continue
            check(f"{title}: the template's bytes come first", path.read_bytes().startswith(template.read_bytes()))
            said = subprocess.run(["pdfsig", "-nocert", path], capture_output=True, timeout=60).stdout.decode()
            check(f"{title}: poppler finds the signature valid", "Signature is Valid" in said, said)
            status = judged(path, context)
            check(f"{title}: pyHanko finds it intact and valid", status.intact and status.valid, status.pretty_print_details())
            check(f"{title}: and nothing changed but what was filled", status.modification_level == ModificationLevel.FORM_FILLING,
                  status.modification_level)
            check(f"{title}: and that was allowed", status.docmdp_ok, status.pretty_print_details())
            known = {f["name"]: f["value"] for f in json.loads(subprocess.run([QUIRE, "fields", path, "--json"], capture_output=True).stdout)["fields"]}
            check(f"{title}: what may be filled is filled", known["name"] == ["Zoë 王 مريم"] and known["agrees"] == ["Yes"], known)
            check(f"{title}: what is locked is left and said", (known["office"] in ([], [""])) == (lock is not None) == ("locked" in report), (known["office"], report))
        template = folder / "closed.pdf"
        sign(folder / "plain.pdf", template, signer, MDPPerm.NO_CHANGES)
        path, done, _ = fill(template, folder, record, "closed")
        check("certified against changes: is refused in words", not path.exists() and b"certifi" in done.stderr, done.stderr.decode())
    with tempfile.TemporaryDirectory() as name:
        check_for_long(pathlib.Path(name))
    skipped = 0
    if shutil.which("pkcs11-tool") and shutil.which("softhsm2-util") and pathlib.Path(HSM).exists():
        with tempfile.TemporaryDirectory() as name:
            check_token(pathlib.Path(name))
    else:
        skipped = 1
        print("skip  signing with a token: softhsm2 and opensc are not here")
    print(f"signed: {passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)


main()
