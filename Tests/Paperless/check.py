"""What pypaperless sees of a library. Called by `run` with the address of a desk and a token for it."""

import asyncio
import json
import sys
import urllib.request

from pypaperless import Paperless
from pypaperless.exceptions import PaperlessError

ADDRESS, TOKEN = sys.argv[1:3]
passed = failed = 0


def holds(sentence, fact):
    global passed, failed
    if fact:
        passed += 1
    else:
        failed += 1
        print("FAIL", sentence)


def pdf(words):
    """A page with words on it."""
    content = f"BT /F1 18 Tf 40 100 Td ({words}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start


async def main():
    wrong = Paperless(ADDRESS, "wrong")
    try:
        await wrong.initialize()
        holds("a wrong token opens nothing", False)
    except PaperlessError:
        holds("a wrong token opens nothing", True)
    await wrong.close()

    async with Paperless(ADDRESS, TOKEN) as paperless:
        holds("it knows which Paperless it speaks to", paperless.host_version is not None)
        plain = {"is_insensitive": True, "match": "", "matching_algorithm": 0}
        tag = await paperless.tags.draft(name="bill", is_inbox_tag=False, color="#ff0000", **plain).save()
        person = await paperless.correspondents.draft(name="Stadtwerke Süd", **plain).save()
        kind = await paperless.document_types.draft(name="Invoice", **plain).save()
        holds("tags, correspondents and types it makes get numbers", all(isinstance(n, int) for n in (tag, person, kind)))

        bytes_ = pdf("Power for the harbour")
        task = await paperless.documents.draft(
            document=bytes_, filename="power.pdf", title="Power bill", tags=[tag], correspondent=person, document_type=kind
        ).save()
        about = await paperless.tasks(task)
        holds("an upload is a task that tells which paper it became", about.related_document and str(about.status).endswith("SUCCESS"))
        number = int(about.related_document)
        asked = urllib.request.Request(
            f"{ADDRESS}/documents", headers={"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
        )
        papers = json.load(urllib.request.urlopen(asked))["documents"]
        holds("the desk knows that an app sent it", [paper["arrival"] for paper in papers] == ["app"])
        again = await paperless.documents.draft(document=bytes_, filename="again.pdf").save()
        holds("the same bytes again are said to be there", str((await paperless.tasks(again)).status).endswith("FAILURE"))
        for count in range(30):
            await paperless.documents.draft(document=f"paper {count}".encode(), filename=f"{count}.txt").save()

        paper = await paperless.documents(number)
        holds("a paper bears what was written on it", (paper.title, paper.tags, paper.correspondent, paper.document_type) == ("Power bill", [tag], person, kind))
        holds("its days are days", paper.created is not None and paper.added is not None)
        download = await paper.get_download()
        holds("its bytes come back as they were", download.content == bytes_ and download.content_type == "application/pdf")
        holds("under its name", download.disposition_filename == "Power bill.pdf")
        preview = await paper.get_preview()
        holds("it can be looked at", preview.content == bytes_ and preview.disposition_type == "inline")
        thumb = await paper.get_thumbnail()
        holds("it has a small picture", thumb.content[:2] == b"\xff\xd8" and thumb.content_type == "image/jpeg")
        meta = await paper.get_metadata()
        holds("its size is told", meta.original_size == len(bytes_) and meta.original_mime_type == "application/pdf")
        await paper.get_suggestions()

        everything = [one.id async for one in paperless.documents]
        holds("the list leads to every paper once", len(everything) == 31 and len(set(everything)) == 31)
        pages = [page async for page in paperless.documents.pages(page_size=10)]
        holds("page by page as well", [page.current_count for page in pages] == [10, 10, 10, 1])
        async with paperless.documents.reduce(tags__id__all=tag) as some:
            holds("a tag narrows it", [one.id async for one in some] == [number])
        for _ in range(50):
            found = [one async for one in paperless.documents.search("harbour")]
            if found:
                break
            await asyncio.sleep(0.2)
        holds("words on the page are found", [one.id for one in found] == [number])
        holds("and where they stand is marked", found and "harbour" in found[0].search_hit.highlights)

        paper.title, paper.archive_serial_number = "Power bill, paid", 12
        holds("it changes a paper", await paper.update())
        paper = await paperless.documents(number)
        holds("and finds it changed", (paper.title, paper.archive_serial_number) == ("Power bill, paid", 12))
        holds("the next number of an original follows", await paperless.documents.get_next_asn() == 13)
        await paper.notes.draft(note="Paid by Ben").save()
        notes = await paper.notes()
        holds("a note is kept", [note.note for note in notes] == ["Paid by Ben"])
        holds("its fields are listed", len([one async for one in paperless.custom_fields]) == 2)
        holds("what Quire has not is an empty list", [one async for one in paperless.workflows] == [])
        holds("a paper is thrown away", await paper.delete())
        holds("and gone", number not in [one.id async for one in paperless.documents])


asyncio.run(main())
print(f"paperless: {passed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
