"""Signs papers with pyHanko, one after another as its documentation says (PAdES), and prints the seconds; or checks signed ones.

    sign.py sign KEY.pem CERTIFICATE.pem FOLDER PAPER…
    sign.py check CERTIFICATE.pem PAPER…
"""
import logging
import os
import sys
import time

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)


def sign(key, certificate, folder, *papers):
    signer = signers.SimpleSigner.load(key, certificate)
    about = signers.PdfSignatureMetadata(field_name="Signature1", md_algorithm="sha256", subfilter=fields.SigSeedSubFilter.PADES)
    start = time.monotonic()
    for paper in papers:
        with open(paper, "rb") as given, open(os.path.join(folder, os.path.basename(paper)), "wb") as signed:
            signers.PdfSigner(about, signer=signer).sign_pdf(IncrementalPdfFileWriter(given), output=signed)
    print(time.monotonic() - start)


def check(certificate, *papers):
    trust = ValidationContext(trust_roots=[load_cert_from_pemder(certificate)])
    for paper in papers:
        with open(paper, "rb") as given:
            (signature,) = PdfFileReader(given).embedded_signatures
            status = validate_pdf_signature(signature, trust)
            assert status.intact and status.valid and status.bottom_line, f"{paper}: {status.summary()}"
    print(len(papers))


{"sign": sign, "check": check}[sys.argv[1]](*sys.argv[2:])
