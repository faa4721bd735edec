"""Signs forms with a certificate made on the spot, fills them, and asks poppler and pyHanko whether the signatures
still hold and whether they find more changed than they allow."""
import datetime
import io
import json
import pathlib
import subprocess
import sys
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.fields import FieldMDPAction, FieldMDPSpec, MDPPerm, SigFieldSpec
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

import traps

QUIRE = sys.argv[1]
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
    print(f"signed: {passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


main()
