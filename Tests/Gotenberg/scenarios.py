"""Every scenario is a function whose name is the sentence it holds."""
import base64, glob, io, json, os, re, shutil, socket, ssl, struct, subprocess, sys, tempfile, time, traceback, urllib.error
import urllib.request, uuid, zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pypdf
import pypdfium2

import paper
from world import PNG, World, noise, pdf

QUIRE = sys.argv[1]
SCENARIOS = []


def scenario(*engines):
    """A sentence that holds where these engines are installed."""
    def remember(function):
        SCENARIOS.append((function, engines))
        return function
    return remember


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.text = body.decode("utf-8", "replace") if len(body) < 100_000 else ""

    def pages(self):
        assert self.status == 200, f"{self.status}: {self.text}"
        return pypdf.PdfReader(io.BytesIO(self.body))

    def words(self):
        return [page.extract_text() for page in self.pages().pages]


def ask(path, fields=(), files=(), headers=None, method="POST", data=None):
    boundary = uuid.uuid4().hex
    headers = dict(headers or {})
    if method == "POST" and data is None:
        data = b""
        for name, value in dict(fields).items():
            data += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for entry in files:
            field, name, body = entry if len(entry) == 3 else ("files", *entry)
            body = body.encode() if isinstance(body, str) else body
            data += (f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
                     "Content-Type: application/octet-stream\r\n\r\n").encode() + body + b"\r\n"
        data += f"--{boundary}--\r\n".encode()
        headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
    request = urllib.request.Request(ADDRESS + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=150) as reply:
            return Answer(reply.status, reply.headers, reply.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read())


def page(html, fields=(), more=(), route="convert/html", headers=None):
    return ask(f"/forms/chromium/{route}", fields, [("index.html", html), *more], headers)


@scenario("chromium", "libreoffice")
def health_version_and_metrics_are_told():
    health = json.loads(ask("/health", method="GET").body)
    assert health["status"] == "up" and set(health["details"]) == {"chromium", "libreoffice"}
    assert ask("/version", method="GET").text
    metrics = ask("/prometheus/metrics", method="GET").text
    for name in ["chromium_requests_queue_size", "libreoffice_restarts_count"]:
        assert f"gotenberg_{name} " in metrics


@scenario()
def a_route_that_is_not_there_answers_404_and_another_method_405():
    assert ask("/forms/nothing").status == 404
    assert ask("/forms/pdfengines/merge", method="GET").status == 405


@scenario("chromium")
def a_page_and_its_files_become_pdf_under_the_name_asked_for():
    answer = page("<p>Dear Ada</p><img src='a.png'>", more=[("a.png", PNG)],
                  headers={"Gotenberg-Output-Filename": "letter", "Gotenberg-Trace": "trace-7"})
    assert "Dear Ada" in answer.words()[0]
    assert answer.headers["Content-Type"] == "application/pdf"
    assert "letter.pdf" in answer.headers["Content-Disposition"]
    assert answer.headers["Gotenberg-Trace"] == "trace-7"
    assert re.search(r"[0-9a-f-]{36}\.pdf", page("<p>x</p>").headers["Content-Disposition"])


@scenario("chromium")
def paper_and_margins_come_in_several_units():
    answer = page("<p>x</p>", {"paperWidth": "210mm", "paperHeight": "29.7cm", "landscape": "true"})
    box = answer.pages().pages[0].mediabox
    assert abs(box.width - 841.9) < 2 and abs(box.height - 595.3) < 2


@scenario("chromium")
def pages_are_chosen_and_headings_outlined():
    html = "".join(f"<h1 style='break-after: page'>Sheet {n}</h1>" for n in range(1, 5))
    answer = page(html, {"nativePageRanges": "2-3", "generateDocumentOutline": "true"})
    assert [text.strip() for text in answer.words()] == ["Sheet 2", "Sheet 3"]
    assert answer.pages().outline


@scenario("chromium")
def header_and_footer_count_pages():
    html = "<div style='font-size: 12px'>Sheet <span class=pageNumber></span> of <span class=totalPages></span></div>"
    answer = page("<p>one</p><p style='break-before: page'>two</p>", {"marginBottom": "1"}, [("footer.html", html)])
    assert "Sheet 2 of 2" in answer.words()[1]


@scenario("chromium")
def one_long_sheet_holds_everything():
    assert len(page("<p>line</p>" * 300, {"singlePage": "true"}).pages().pages) == 1


@scenario("chromium")
def markdown_fills_its_template():
    answer = ask("/forms/chromium/convert/markdown", files=[
        ("index.html", "<html><body>{{ toHTML \"a.md\" }}</body></html>"), ("a.md", "# Title\n\n**strong** words")])
    assert "Title" in answer.words()[0] and "**" not in answer.words()[0]
    assert ask("/forms/chromium/convert/markdown", files=[("index.html", "{{ toHTML \"a.md\" }}")]).status == 400


@scenario("chromium")
def what_is_waited_for_is_there():
    html = "<script>setTimeout(() => { document.body.innerHTML = '<p id=late>late</p>'; window.status = 'ready' }, 400)</script>"
    for fields in [{"waitDelay": "1s"}, {"waitForSelector": "#late"}, {"waitForExpression": "document.getElementById('late')"},
                   {"waitWindowStatus": "ready"}]:
        assert "late" in page(html, fields).words()[0], fields


@scenario("chromium")
def an_address_is_printed_with_cookies_and_headers():
    WORLD.pages["/page"] = (200, {"Content-Type": "text/html"}, b"<p>Fetched</p><img src='/missing.png'>")
    answer = ask("/forms/chromium/convert/url", {
        "url": WORLD.address + "/page", "userAgent": "Loom/1",
        "cookies": json.dumps([{"name": "a", "value": "b", "domain": "127.0.0.1"}]),
        "extraHttpHeaders": json.dumps({"X-One": "1", "X-Two": "2;scope=nothing-here", "X-Three": "3;scope=/page$"})})
    assert "Fetched" in answer.words()[0]
    headers = next(call[2] for call in WORLD.seen if call[1] == "/page")
    assert headers.get("X-One") == "1" and "X-Two" not in headers and headers.get("X-Three") == "3"
    assert all("X-Three" not in call[2] for call in WORLD.seen if call[1] == "/missing.png")
    assert "a=b" in headers.get("Cookie", "") and headers["User-Agent"] == "Loom/1"


@scenario("chromium")
def statuses_and_exceptions_fail_when_they_are_asked_to():
    WORLD.pages["/broken"] = (503, {"Content-Type": "text/html"}, b"<p>down</p>")
    url = WORLD.address + "/broken"
    assert ask("/forms/chromium/convert/url", {"url": url}).status == 409
    assert ask("/forms/chromium/convert/url", {"url": url, "failOnHttpStatusCodes": "[]"}).status == 200
    WORLD.pages["/holes"] = (200, {"Content-Type": "text/html"}, b"<img src='/gone.png'>")
    holes = {"url": WORLD.address + "/holes"}
    assert ask("/forms/chromium/convert/url", holes).status == 200
    assert ask("/forms/chromium/convert/url", {**holes, "failOnResourceHttpStatusCodes": "[499]"}).status == 409
    html = "<script>throw new Error('no')</script>"
    assert page(html).status == 200
    answer = page(html, {"failOnConsoleExceptions": "true"})
    assert answer.status == 409 and "no" in answer.text


@scenario("chromium")
def screenshots_come_in_three_formats():
    for kind, start in [("png", b"\x89PNG"), ("jpeg", b"\xff\xd8"), ("webp", b"RIFF")]:
        answer = page("<h1>x</h1>", {"format": kind, "width": "300", "height": "200"}, route="screenshot/html")
        assert answer.body.startswith(start) and answer.headers["Content-Type"] == f"image/{kind}"


@scenario("chromium")
def every_mistake_in_a_form_is_told_at_once():
    answer = ask("/forms/chromium/convert/html", {"scale": "large", "landscape": "maybe"})
    assert answer.status == 400 and answer.text.startswith("Invalid form data: ")
    for word in ["'scale'", "'landscape'", "'index.html'"]:
        assert word in answer.text
    assert ask("/forms/chromium/convert/url").status == 400
    assert ask("/forms/pdfengines/merge", data=b"{}", headers={"Content-Type": "application/json"}).status == 415


@scenario("chromium")
def a_page_cannot_read_files_of_the_machine():
    assert ask("/forms/chromium/convert/url", {"url": "file:///etc/passwd"}).status == 403
    answer = page("<p>x</p><iframe src='file:///etc/passwd'></iframe>")
    assert not any("root:" in text for text in answer.words())


@scenario("libreoffice")
def office_papers_become_pdf_apart_or_together():
    rtf = "{\\rtf1 Dear Ada\\par}"
    answer = ask("/forms/libreoffice/convert", files=[("b.rtf", rtf)])
    assert "Dear Ada" in answer.words()[0]
    two = [("10.rtf", "{\\rtf1 tenth\\par}"), ("9.rtf", "{\\rtf1 ninth\\par}")]
    answer = ask("/forms/libreoffice/convert", files=two)
    assert answer.headers["Content-Type"] == "application/zip"
    assert sorted(zipfile.ZipFile(io.BytesIO(answer.body)).namelist()) == ["10.rtf.pdf", "9.rtf.pdf"]
    answer = ask("/forms/libreoffice/convert", {"merge": "true"}, two)
    assert [text.strip() for text in answer.words()] == ["ninth", "tenth"]


@scenario("libreoffice", "gs")
def office_papers_lie_on_their_side_and_go_to_archives():
    answer = ask("/forms/libreoffice/convert", {"landscape": "true", "pdfa": "PDF/A-2b"}, [("a.rtf", "{\\rtf1 x\\par}")])
    box = answer.pages().pages[0].mediabox
    assert box.width > box.height
    assert b"pdfaid" in answer.pages().trailer["/Root"]["/Metadata"].get_data()
    assert ask("/forms/libreoffice/convert", {"pdfa": "PDF/A-9z"}, [("a.rtf", "{\\rtf1 x}")]).status == 400
    assert ask("/forms/libreoffice/convert", {"password": "x"}, [("a.rtf", "{\\rtf1 x}")]).status == 400
    assert ask("/forms/libreoffice/convert", files=[("a.docx", b"PK\3\4 no archive")]).status == 400


@scenario()
def files_are_merged_in_the_order_of_their_names():
    answer = ask("/forms/pdfengines/merge", files=[("10.pdf", pdf("ten")), ("2.pdf", pdf("two")), ("1.pdf", pdf("one"))])
    assert [text.strip() for text in answer.words()] == ["one", "two", "ten"]


@scenario()
def files_are_split_by_intervals_and_pages():
    four = [("a.pdf", pdf("1", "2", "3", "4"))]
    answer = ask("/forms/pdfengines/split", {"splitMode": "intervals", "splitSpan": "2"}, four)
    assert len(zipfile.ZipFile(io.BytesIO(answer.body)).namelist()) == 2
    answer = ask("/forms/pdfengines/split", {"splitMode": "pages", "splitSpan": "2-3", "splitUnify": "true"}, four)
    assert [text.strip() for text in answer.words()] == ["2", "3"]
    assert ask("/forms/pdfengines/split", {"splitMode": "thirds", "splitSpan": "2"}, four).status == 400
    assert ask("/forms/pdfengines/split", {"splitMode": "pages", "splitSpan": "9"}, four).status == 400


@scenario()
def files_are_turned_locked_and_flattened():
    one = [("a.pdf", pdf("one"))]
    assert ask("/forms/pdfengines/rotate", {"rotateAngle": "90"}, one).pages().pages[0].rotation == 90
    assert ask("/forms/pdfengines/rotate", {"rotateAngle": "45"}, one).status == 400
    locked = ask("/forms/pdfengines/encrypt", {"userPassword": "in", "ownerPassword": "all", "allowPrinting": "false"}, one)
    reader = pypdf.PdfReader(io.BytesIO(locked.body))
    assert reader.is_encrypted and reader.decrypt("in")
    assert ask("/forms/pdfengines/encrypt", files=one).status == 400
    assert ask("/forms/pdfengines/flatten", files=one).status == 200
    assert ask("/forms/pdfengines/optimize", files=one).status == 200
    assert ask("/forms/pdfengines/flatten", files=[("a.pdf", locked.body)]).status == 400


@scenario()
def facts_and_bookmarks_are_written_and_read():
    one = [("a.pdf", pdf("one", "two"))]
    answer = ask("/forms/pdfengines/metadata/write", {"metadata": json.dumps({"Title": "Minutes", "Author": "Jörg"})}, one)
    assert answer.pages().metadata.title == "Minutes" and answer.pages().metadata.author == "Jörg"
    read = json.loads(ask("/forms/pdfengines/metadata/read", files=[("x.pdf", answer.body)]).body)
    assert read["x.pdf"]["Title"] == "Minutes"
    marks = [{"title": "First", "page": 1, "children": [{"title": "Inner", "page": 2, "children": []}]}]
    answer = ask("/forms/pdfengines/bookmarks/write", {"bookmarks": json.dumps(marks)}, one)
    assert answer.pages().outline[0]["/Title"] == "First"
    assert json.loads(ask("/forms/pdfengines/bookmarks/read", files=[("x.pdf", answer.body)]).body) == {"x.pdf": marks}


@scenario()
def files_are_carried_and_pages_marked():
    one = [("a.pdf", pdf("one"))]
    answer = ask("/forms/pdfengines/embed", files=[*one, ("embeds", "note.txt", "hello")])
    assert answer.pages().attachments["note.txt"] == [b"hello"]
    answer = ask("/forms/pdfengines/watermark", {"watermarkSource": "text", "watermarkExpression": "DRAFT"}, one)
    assert "DRAFT" in answer.words()[0]
    answer = ask("/forms/pdfengines/stamp", {"stampSource": "image"}, [*one, ("stamp", "s.png", PNG)])
    assert answer.status == 200
    assert ask("/forms/pdfengines/stamp", {"stampSource": "clay"}, one).status == 400


@scenario("gs")
def archives_get_their_kind_of_pdf():
    answer = ask("/forms/pdfengines/convert", {"pdfa": "PDF/A-2b"}, [("a.pdf", pdf("one"))])
    assert b"pdfaid" in answer.pages().trailer["/Root"]["/Metadata"].get_data()
    assert ask("/forms/pdfengines/convert", files=[("a.pdf", pdf("one"))]).status == 400


@scenario()
def files_are_fetched_from_where_the_request_says():
    WORLD.pages["/one"] = (200, {"Content-Disposition": 'attachment; filename="one.pdf"'}, pdf("fetched"))
    WORLD.pages["/unnamed"] = (200, {}, pdf("fetched"))
    source = json.dumps([{"url": WORLD.address + "/one", "extraHttpHeaders": {"X-Key": "7"}}])
    answer = ask("/forms/pdfengines/flatten", {"downloadFrom": source})
    assert "fetched" in answer.words()[0]
    assert next(call[2] for call in WORLD.seen if call[1] == "/one").get("X-Key") == "7"
    assert ask("/forms/pdfengines/flatten", {"downloadFrom": json.dumps([{"url": WORLD.address + "/unnamed"}])}).status == 400


@scenario()
def a_webhook_gets_the_result_and_another_the_failure():
    WORLD.pages.update({"/result": (200, {}, b""), "/failure": (200, {}, b""), "/events": (200, {}, b"")})
    headers = {"Gotenberg-Webhook-Url": WORLD.address + "/result", "Gotenberg-Webhook-Error-Url": WORLD.address + "/failure",
               "Gotenberg-Webhook-Events-Url": WORLD.address + "/events", "Gotenberg-Webhook-Method": "PUT",
               "Gotenberg-Webhook-Extra-Http-Headers": json.dumps({"X-Mine": "yes"}), "Gotenberg-Output-Filename": "made"}
    assert ask("/forms/pdfengines/merge", files=[("a.pdf", pdf("one"))], headers=headers).status == 204
    method, _, sent, body = WORLD.wait("/result")
    assert method == "PUT" and body.startswith(b"%PDF") and sent["X-Mine"] == "yes" and "made.pdf" in sent["Content-Disposition"]
    assert json.loads(WORLD.wait("/events")[3])["event"] == "webhook.success"
    assert ask("/forms/pdfengines/merge", files=[("a.pdf", b"no pdf")], headers=headers).status == 204
    assert json.loads(WORLD.wait("/failure")[3])["status"] == 400
    for _ in range(600):
        events = [json.loads(call[3]) for call in WORLD.seen if call[1] == "/events"]
        if len(events) == 2:
            break
        time.sleep(0.1)
    assert [event["event"] for event in events] == ["webhook.success", "webhook.error"] and events[1]["error"]["status"] == 400
    assert all(event["correlationId"] and event["timestamp"].startswith("20") for event in events)
    del headers["Gotenberg-Webhook-Error-Url"]
    assert ask("/forms/pdfengines/merge", files=[("a.pdf", pdf("one"))], headers=headers).status == 400


@scenario("chromium")
def a_public_client_works_unchanged():
    from gotenberg_client import GotenbergClient
    with tempfile.TemporaryDirectory() as folder, GotenbergClient(ADDRESS) as client:
        index, first, second = Path(folder, "index.html"), Path(folder, "a.pdf"), Path(folder, "b.pdf")
        index.write_text("<p>Dear client</p>")
        first.write_bytes(pdf("one"))
        second.write_bytes(pdf("two"))
        with client.chromium.html_to_pdf() as route:
            assert route.index(index).run().content.startswith(b"%PDF")
        with client.merge.merge() as route:
            merged = route.merge([first, second]).run()
            assert len(pypdf.PdfReader(io.BytesIO(merged.content)).pages) == 2


@scenario("chromium")
def private_addresses_are_refused_unless_they_are_allowed():
    with Server() as address, at(address):
        assert ask("/forms/chromium/convert/url", {"url": WORLD.address + "/page"}).status == 403
        source = json.dumps([{"url": WORLD.address + "/one"}])
        assert ask("/forms/pdfengines/flatten", {"downloadFrom": source}).status == 403


INVOICE = "<?xml version='1.0'?><rsm:CrossIndustryInvoice xmlns:rsm='urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'/>"


@scenario("gs")
def an_archive_becomes_an_electronic_invoice():
    fields = {"facturxConformanceLevel": "EN 16931", "facturxDocumentType": "INVOICE"}
    archive = ask("/forms/pdfengines/convert", {"pdfa": "PDF/A-3b"}, [("a.pdf", pdf("Invoice 7"))])
    answer = ask("/forms/pdfengines/factur-x", fields, [("a.pdf", archive.body), ("facturxXml", "data.xml", INVOICE)])
    reader = answer.pages()
    assert reader.attachments["factur-x.xml"] == [INVOICE.encode()]
    root = reader.trailer["/Root"]
    assert root["/AF"][0].get_object()["/AFRelationship"] == "/Alternative"
    claims = root["/Metadata"].get_data()
    assert b"<fx:ConformanceLevel>EN 16931<" in claims and b"pdfaExtension:schemas" in claims and b"pdfaid" in claims
    assert b"<fx:Version>1.0<" in claims and b"<fx:DocumentType>INVOICE<" in claims
    both = ask("/forms/pdfengines/merge", {**fields, "pdfa": "PDF/A-3b"}, [("a.pdf", pdf("x")), ("facturxXml", "x.xml", INVOICE)])
    assert "factur-x.xml" in both.pages().attachments
    assert ask("/forms/pdfengines/factur-x", fields, [("a.pdf", pdf("x")), ("facturxXml", "x.xml", INVOICE)]).status == 400
    assert ask("/forms/pdfengines/factur-x", fields, [("a.pdf", archive.body)]).status == 400
    fields["facturxConformanceLevel"] = "GOLD"
    assert ask("/forms/pdfengines/factur-x", fields, [("a.pdf", archive.body), ("facturxXml", "x.xml", INVOICE)]).status == 400


@scenario("chromium")
def what_is_marked_up_is_declared_accessible_and_nothing_else():
    answer = page("<title>Minutes</title><h1>Minutes</h1>", {"pdfua": "true"})
    root = answer.pages().trailer["/Root"]
    assert b"<pdfuaid:part>1<" in root["/Metadata"].get_data() and root["/MarkInfo"]["/Marked"]
    again = ask("/forms/pdfengines/convert", {"pdfua": "true"}, [("a.pdf", answer.body)])
    assert b"pdfuaid" in again.pages().trailer["/Root"]["/Metadata"].get_data()
    bare = ask("/forms/pdfengines/convert", {"pdfua": "true"}, [("a.pdf", pdf("one"))])
    assert bare.status == 400 and "marked up" in bare.text


@scenario()
def a_webhook_that_is_waited_for_has_its_result_before_the_answer():
    WORLD.pages["/waited"] = (200, {}, b"")
    headers = {"Gotenberg-Webhook-Url": WORLD.address + "/waited", "Gotenberg-Webhook-Error-Url": WORLD.address + "/waited"}
    with Server("--allow-private", "--webhook-sync") as address, at(address):
        assert ask("/forms/pdfengines/merge", files=[("a.pdf", pdf("one"))], headers=headers).status == 204
        assert any(call[1] == "/waited" and call[3].startswith(b"%PDF") for call in WORLD.seen)


@scenario()
def the_desks_own_server_answers_the_same_paths_to_whoever_shows_a_token():
    with tempfile.TemporaryDirectory() as home:
        world = {**os.environ, "QUIRE_HOME": home + "/desk"}
        made = subprocess.run([QUIRE, "tokens", "add", "robot", "--scope", "write", "--json"], env=world, capture_output=True)
        token = json.loads(made.stdout)["token"]
        server = subprocess.Popen([QUIRE, "serve", "--gotenberg", "--port", "0", "--json", "--no-open"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=world)
        try:
            told = b""
            while not told.rstrip().endswith(b"}"):
                told += server.stdout.readline()
            with at(f"http://127.0.0.1:{json.loads(told)['port']}"):
                one = [("a.pdf", pdf("one"))]
                assert ask("/forms/pdfengines/merge", files=one).status == 401
                basic = base64.b64encode(f"anybody:{token}".encode()).decode()
                for way in [f"Bearer {token}", f"Basic {basic}"]:
                    assert "one" in ask("/forms/pdfengines/merge", files=one, headers={"Authorization": way}).words()[0]
                assert ask("/forms/pdfengines/merge", files=one, headers={"Authorization": "Bearer wrong"}).status == 401
                assert ask("/health", method="GET").status == 200
        finally:
            server.terminate()
            server.wait(60)


@scenario("chromium", "libreoffice")
def a_desk_begins_its_engines_with_itself_when_it_is_told_to():
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen([QUIRE, "serve", "--warm", "--port", "0", "--json", "--no-open"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "QUIRE_HOME": home + "/desk"})
        try:
            for _ in range(900):
                begun = begun_by(server.pid)
                if "remote-debugging-pipe" in begun and "quire-engine" in begun:
                    break
                time.sleep(0.1)
            assert "remote-debugging-pipe" in begun and "quire-engine" in begun, begun
        finally:
            server.terminate()
            server.wait(60)
        assert not glob.glob(f"/tmp/quire-*-{server.pid}-*")


@scenario("libreoffice")
def a_small_machine_leans_on_a_large_one():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.rtf").write_text("{\\rtf1 Dear Ada\\par}")
        out = subprocess.run([QUIRE, "convert", "a.rtf", "--engine", ADDRESS, "--json"], cwd=folder, capture_output=True)
        legs = json.loads(out.stdout)["report"]["legs"]
        assert [leg["engine"] for leg in legs] == ["remote"], legs
        assert "Dear Ada" in pypdf.PdfReader(Path(folder, "a.pdf")).pages[0].extract_text()


@scenario()
def a_server_elsewhere_is_asked_again_and_what_it_says_of_a_paper_is_told():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.rtf").write_text("{\\rtf1 Dear Ada\\par}")
        route = "/forms/libreoffice/convert"
        convert = lambda: subprocess.run([QUIRE, "convert", "a.rtf", "--force", "--engine", WORLD.address.replace("//", "//me:secret@")],  # noqa: E731
                                         cwd=folder, capture_output=True, text=True)
        WORLD.pages[route] = (400, {}, b"no such paper")
        before = len(WORLD.seen)
        told = convert()
        assert told.returncode != 0 and "no such paper" in told.stderr and "secret" not in told.stderr
        calls = [call for call in WORLD.seen[before:] if call[1] == route]
        assert len(calls) == 1 and calls[0][2]["Authorization"] == "Basic " + base64.b64encode(b"me:secret").decode()
        WORLD.pages[route] = (503, {}, b"busy")
        before = len(WORLD.seen)
        assert convert().returncode != 0
        assert len([call for call in WORLD.seen[before:] if call[1] == route]) == 4


@scenario("chromium", "libreoffice")
def health_is_told_without_a_body_and_nothing_is_shown_that_was_not_asked_for():
    assert ask("/health", method="HEAD").status == 200 and ask("/health", method="HEAD").body == b""
    assert ask("/", method="GET").status == 200
    assert ask("/debug", method="GET").status == 404


@scenario("chromium")
def screenshots_show_addresses_markdown_and_parts_of_pages():
    WORLD.pages["/seen"] = (200, {"Content-Type": "text/html"}, b"<body style='margin:0'><div id=box style='width:90px;height:40px'>")
    size = lambda answer: struct.unpack(">II", answer.body[16:24])  # noqa: E731
    url = {"url": WORLD.address + "/seen"}
    assert size(ask("/forms/chromium/screenshot/url", {**url, "selector": "#box"})) == (90, 40)
    assert size(ask("/forms/chromium/screenshot/url", {**url, "width": "320", "height": "200", "clip": "true"})) == (320, 200)
    assert size(ask("/forms/chromium/screenshot/url", {**url, "width": "320", "height": "200", "clip": "true", "deviceScaleFactor": "2"})) == (640, 400)
    files = [("index.html", "{{ toHTML \"a.md\" }}"), ("a.md", "# Title")]
    assert ask("/forms/chromium/screenshot/markdown", {"format": "jpeg", "quality": "40"}, files).body.startswith(b"\xff\xd8")
    with_alpha = page("<p>x</p>", {"omitBackground": "true", "optimizeForSpeed": "true"}, route="screenshot/html")
    assert with_alpha.body[25] == 6, "not a picture with an alpha channel"
    assert page("<p>x</p>", {"format": "tga"}, route="screenshot/html").status == 400
    assert page("<p>x</p>", {"selector": "#nowhere"}, route="screenshot/html").status == 400


@scenario("chromium")
def pages_are_shown_as_the_fields_say():
    html = ("<title>T</title><style>@page { size: 100mm 150mm } .s { display: none } @media screen { .s { display: block } }"
            ".d { display: none } @media (prefers-color-scheme: dark) { .d { display: block } }</style><h1>Head</h1>"
            "<p class=s>on screens</p><p class=d>in the dark</p>")
    plain = page(html)
    assert "on screens" not in plain.words()[0] and "in the dark" not in plain.words()[0]
    assert round(float(plain.pages().pages[0].mediabox.width)) == 612
    fields = {"emulatedMediaType": "screen", "emulatedMediaFeatures": json.dumps([{"name": "prefers-color-scheme", "value": "dark"}]),
              "preferCssPageSize": "true", "generateTaggedPdf": "true", "scale": "0.5", "printBackground": "true"}
    other = page(html, fields)
    assert "on screens" in other.words()[0] and "in the dark" in other.words()[0]
    assert abs(float(other.pages().pages[0].mediabox.width) - 283.5) < 2
    assert other.pages().trailer["/Root"]["/MarkInfo"]["/Marked"]
    for wrong in [{"emulatedMediaType": "clay"}, {"nativePageRanges": "x-y"}, {"nativePageRanges": "7"}, {"paperWidth": "wide"},
                  {"cookies": "[{}]"}, {"omitBackground": "true"}]:
        assert page(html, wrong).status == 400, wrong


@scenario("chromium")
def a_head_stands_over_every_page_and_late_requests_are_waited_for():
    head = "<div style='font-size: 12px'><span class=title></span> of <span class=date></span></div>"
    answer = page("<title>Minutes</title><p>one</p>", {"marginTop": "1in"}, [("header.html", head)])
    assert "Minutes of" in answer.words()[0]
    late = "<p id=p>early</p><script>setTimeout(() => fetch('late.txt').then(r => r.text()).then(t => p.textContent = t), 200)</script>"
    for field in ["skipNetworkIdleEvent", "skipNetworkAlmostIdleEvent"]:
        assert "it came late" in page(late, {field: "false"}, [("late.txt", "it came late")]).words()[0], field


@scenario("chromium")
def missing_resources_fail_when_they_are_asked_to_and_some_hosts_are_forgiven():
    WORLD.pages["/sparse"] = (200, {"Content-Type": "text/html"}, b"<img src='/gone.png'>")
    sparse = {"url": WORLD.address + "/sparse", "failOnResourceHttpStatusCodes": "[499]"}
    assert ask("/forms/chromium/convert/url", sparse).status == 409
    forgiven = {**sparse, "ignoreResourceHttpStatusDomains": json.dumps([WORLD.address.split("//")[1]])}
    assert ask("/forms/chromium/convert/url", forgiven).status == 200
    closed = "<img src='http://127.0.0.1:9/x.png'>"
    assert page(closed).status == 200
    assert page(closed, {"failOnResourceLoadingFailed": "true"}).status == 409


@scenario("chromium")
def endless_redirects_end_and_none_leads_around_the_lists():
    WORLD.pages["/round"] = (302, {"Location": "/round"}, b"")
    assert ask("/forms/chromium/convert/url", {"url": WORLD.address + "/round"}).status == 400
    WORLD.pages["/secret"] = (200, {"Content-Type": "text/html"}, b"the secret")
    WORLD.pages["/around"] = (302, {"Location": "/secret"}, b"")
    WORLD.pages["/framing"] = (200, {"Content-Type": "text/html"}, b"<p>shown</p><iframe src='/secret'></iframe><img src='/around'>")
    with Server("--allow-private", "--chromium-deny-list=/secret") as address, at(address):
        assert ask("/forms/chromium/convert/url", {"url": WORLD.address + "/around"}).status == 403
        answer = ask("/forms/chromium/convert/url", {"url": WORLD.address + "/framing"})
        assert "shown" in answer.words()[0] and "secret" not in answer.words()[0]


@scenario("chromium")
def what_every_route_can_do_is_done_to_printed_pages():
    two = "<p>one</p><p style='break-before: page'>two</p>"
    answer = page(two, {"metadata": json.dumps({"Author": "Ada"}), "rotateAngle": "90", "rotatePages": "2", "flatten": "true",
                        "bookmarks": json.dumps([{"title": "Second", "page": 2, "children": []}])},
                  [("embeds", "data.json", "{}")])
    reader = answer.pages()
    assert reader.metadata.author == "Ada" and [p.rotation for p in reader.pages] == [0, 90]
    assert reader.attachments["data.json"] == [b"{}"] and reader.outline[0]["/Title"] == "Second"
    answer = page(two, {"splitMode": "pages", "splitSpan": "1-2"})
    assert len(zipfile.ZipFile(io.BytesIO(answer.body)).namelist()) == 2
    locked = pypdf.PdfReader(io.BytesIO(page(two, {"userPassword": "in", "ownerPassword": "all", "allowCopying": "false"}).body))
    assert locked.decrypt("in") and pypdf.constants.UserAccessPermissions.EXTRACT not in locked.user_access_permissions


@scenario()
def marks_come_from_words_pictures_and_pages_where_and_as_they_are_wished():
    two = [("a.pdf", pdf("one", "two"))]
    look = json.dumps({"points": 30, "color": "#ff0000", "rotation": 0, "opacity": 1})
    answer = ask("/forms/pdfengines/watermark", {"watermarkSource": "text", "watermarkExpression": "DRAFT", "watermarkPages": "2",
                                                 "watermarkOptions": look}, two)
    assert "DRAFT" not in answer.words()[0] and "DRAFT" in answer.words()[1]
    assert ask("/forms/pdfengines/watermark", {"watermarkSource": "text", "watermarkExpression": "D",
                                               "watermarkOptions": json.dumps({"color": "red"})}, two).status == 400
    answer = ask("/forms/pdfengines/stamp", {"stampSource": "pdf", "stampExpression": "s.pdf"}, [*two, ("stamp", "s.pdf", pdf("SEAL"))])
    assert all("SEAL" in text for text in answer.words())
    answer = ask("/forms/pdfengines/merge", {"stampSource": "text", "stampExpression": "PAID"}, two)
    assert "PAID" in answer.words()[0]


@scenario()
def merged_files_keep_their_bookmarks_and_get_titles_when_they_are_asked_for():
    marked = ask("/forms/pdfengines/bookmarks/write", {"bookmarks": json.dumps([{"title": "Own", "page": 1, "children": []}])},
                 [("b.pdf", pdf("two"))]).body
    both = [("a.pdf", pdf("one")), ("b.pdf", marked)]
    read = lambda answer: json.loads(ask("/forms/pdfengines/bookmarks/read", files=[("x.pdf", answer.body)]).body)["x.pdf"]  # noqa: E731
    assert read(ask("/forms/pdfengines/merge", {"autoIndexBookmarks": "true"}, both)) == [{"title": "Own", "page": 2, "children": []}]
    titled = read(ask("/forms/pdfengines/merge", {"titleBookmarks": "true"}, both))
    assert [(mark["title"], mark["page"]) for mark in titled] == [("a", 1), ("b", 2)] and titled[1]["children"][0]["title"] == "Own"


@scenario()
def several_files_come_back_in_an_archive_and_names_stay_theirs():
    answer = ask("/forms/pdfengines/flatten", files=[("a.pdf", pdf("one")), ("b.pdf", pdf("two"))],
                 headers={"Gotenberg-Output-Filename": "both"})
    assert answer.headers["Content-Type"] == "application/zip" and "both.zip" in answer.headers["Content-Disposition"]
    assert sorted(zipfile.ZipFile(io.BytesIO(answer.body)).namelist()) == ["a.pdf", "b.pdf"]


@scenario()
def downloads_can_be_carried_instead_of_converted():
    WORLD.pages["/data"] = (200, {"Content-Disposition": "attachment; filename=data.xml"}, b"<x/>")
    source = json.dumps([{"url": WORLD.address + "/data", "embedded": True}])
    answer = ask("/forms/pdfengines/merge", {"downloadFrom": source, "embedsMetadata": json.dumps(
        {"data.xml": {"mimeType": "text/xml", "relationship": "Data"}})}, [("a.pdf", pdf("one"))])
    reader = answer.pages()
    assert reader.attachments["data.xml"] == [b"<x/>"]
    assert reader.trailer["/Root"]["/AF"][0].get_object()["/AFRelationship"] == "/Data"
    mark = json.dumps([{"url": WORLD.address + "/seal", "field": "stamp"}])
    WORLD.pages["/seal"] = (200, {"Content-Disposition": "attachment; filename=seal.pdf"}, pdf("SEAL"))
    assert "SEAL" in ask("/forms/pdfengines/stamp", {"downloadFrom": mark, "stampSource": "pdf"}, [("a.pdf", pdf("one"))]).words()[0]
    assert ask("/forms/pdfengines/merge", {"downloadFrom": "no list"}).status == 400
    with Server("--allow-private", "--api-download-from-deny-list=/data", "--webhook-allow-list=example") as address, at(address):
        assert ask("/forms/pdfengines/merge", {"downloadFrom": source}, [("a.pdf", pdf("one"))]).status == 403
        hook = {"Gotenberg-Webhook-Url": WORLD.address + "/hook", "Gotenberg-Webhook-Error-Url": WORLD.address + "/hook"}
        assert ask("/forms/pdfengines/merge", files=[("a.pdf", pdf("one"))], headers=hook).status == 403


@scenario("libreoffice")
def office_papers_are_exported_as_the_fields_say():
    heading = "{\\rtf1{\\stylesheet{\\s1\\outlinelevel0 heading 1;}}\\pard\\s1\\outlinelevel0 Part\\par\\pard one\\page two\\page three\\par}"
    answer = ask("/forms/libreoffice/convert", {"nativePageRanges": "2-3", "initialPage": "2", "hideViewerMenubar": "true",
                                                "nativeWatermarkText": "DRAFT", "quality": "80", "updateIndexes": "false",
                                                "metadata": json.dumps({"Title": "Report"})}, [("a.rtf", heading)])
    assert ["two" in answer.words()[0], "three" in answer.words()[1], len(answer.words())] == [True, True, 2]
    assert answer.pages().metadata.title == "Report"
    assert answer.pages().trailer["/Root"]["/ViewerPreferences"]["/HideMenubar"]
    assert ask("/forms/libreoffice/convert", {"quality": "much"}, [("a.rtf", heading)]).status == 400
    assert ask("/forms/libreoffice/convert", {"landscape": "true"}, []).status == 400
    csv = "\n".join(f"{n},{n * n}" for n in range(300))
    assert len(ask("/forms/libreoffice/convert", {"singlePageSheets": "true"}, [("a.csv", csv)]).words()) == 1


@scenario("libreoffice")
def every_field_of_the_office_route_does_what_it_is_called():
    def made(paper, name="a.fodt", **fields):
        return ask("/forms/libreoffice/convert", fields, [(name, paper)]).pages()

    def root(paper, **fields):
        return made(paper, **fields).trailer["/Root"]

    def notes(reader):
        return [note.get_object()["/Subtype"] for page in reader.pages for note in page.get("/Annots", [])]

    def links(**fields):
        return [note.get_object()["/A"].get("/URI") or note.get_object()["/A"]["/F"] for page in made(linked, **fields).pages for note in page["/Annots"]]

    heading, page_style = '<text:h text:outline-level="{}">{}</text:h>', paper.style("N", "page")
    forms = paper.forms("who", "who")
    form = paper.text(forms)
    assert "/AcroForm" in root(form) and "/AcroForm" not in root(form, exportFormFields="false")
    assert sorted(made(form).get_fields()) == ["who", "who_2"] and list(made(form, allowDuplicateFieldNames="true").get_fields()) == ["who"]
    parts = paper.text(heading.format(1, "Part") + heading.format(2, "Inner") + '<text:p><text:bookmark text:name="here"/>words</text:p>')
    assert made(parts).outline[0]["/Title"] == "Part" and not made(parts, exportBookmarks="false").outline
    assert "/here" in made(parts, exportBookmarksToPdfDestination="true").named_destinations and not made(parts).named_destinations
    assert made(parts).outline[0]["/Count"] > 0 > made(parts, openBookmarkLevels="1").outline[0]["/Count"]
    blank = paper.text('<text:p><text:placeholder text:placeholder-type="text">&lt;fill me&gt;</text:placeholder></text:p>')
    assert "FILL" not in made(blank).pages[0].extract_text().upper() and "FILL" in made(blank, exportPlaceholders="true").pages[0].extract_text().upper()
    noted = paper.text("<text:p>words<office:annotation><dc:creator>Ada</dc:creator><text:p>a note</text:p></office:annotation></text:p>")
    assert notes(made(noted)) == [] and "/Text" in notes(made(noted, exportNotes="true"))
    assert made(noted, exportNotesInMargin="true").pages[0].extract_text().startswith("words")
    linked = paper.text('<text:p><text:a xlink:href="other.odt">there</text:a></text:p>')
    # To whoever has both files side by side, and nowhere on this machine.
    assert links() == links(exportLinksRelativeFsys="true") == ["other.odt"]
    assert links(convertOooTargetToPdfTarget="true") == ["other.pdf"]
    odd = paper.text('<text:p>one</text:p><text:p text:style-name="R">three</text:p>', paper.style("R", "page", 'style:page-number="3"', "Standard"))
    assert len(made(odd).pages) == 3 and len(made(odd, skipEmptyPages="true").pages) == 2
    index = paper.text('<text:table-of-content text:name="T"><text:table-of-content-source text:outline-level="3"/><text:index-body>'
                       "<text:p>stale entry</text:p></text:index-body></text:table-of-content>" + heading.format(1, "Fresh"))
    assert "stale" not in made(index).pages[0].extract_text() and "stale" in made(index, updateIndexes="false").pages[0].extract_text()
    deck = paper.slides(("shown", False), ("concealed", True))
    assert [len(made(deck, "a.fodp", **fields).pages) for fields in [{}, {"exportHiddenSlides": "true"}, {"exportNotesPages": "true"},
            {"exportNotesPages": "true", "exportOnlyNotesPages": "true"}]] == [1, 2, 2, 1]
    assert "note of shown" in made(deck, "a.fodp", exportNotesPages="true", exportOnlyNotesPages="true").pages[0].extract_text()
    assert "/Trans" in made(deck, "a.fodp").pages[0] and "/Trans" not in made(deck, "a.fodp", useTransitionEffects="false").pages[0]

    two = paper.text('<text:p>one</text:p><text:p text:style-name="N">two</text:p>', page_style)
    sizes = [len(ask("/forms/libreoffice/convert", fields, [("a.fodt", two)]).body) for fields in [{}, {"addOriginalDocumentAsStream": "true"}]]
    assert sizes[1] > sizes[0] + 500
    for field, name in {"resizeWindowToInitialPage": "FitWindow", "centerWindow": "CenterWindow", "hideViewerMenubar": "HideMenubar",
                        "hideViewerToolbar": "HideToolbar", "hideViewerWindowControls": "HideWindowUI"}.items():
        assert root(two, **{field: "true"})["/ViewerPreferences"]["/" + name], field
    named = {"metadata": json.dumps({"Title": "Report"})}
    assert "/DisplayDocTitle" not in root(two, displayPDFDocumentTitle="false", **named).get("/ViewerPreferences", {})
    assert root(two, openInFullScreenMode="true")["/PageMode"] == "/FullScreen" and root(two, initialView="1")["/PageMode"] == "/UseOutlines"
    assert [root(two, pageLayout=str(n))["/PageLayout"] for n in (1, 2)] == ["/SinglePage", "/OneColumn"]
    # LibreOffice heeds `firstPageOnLeft` only where it is set up for scripts that go to the left.
    assert root(two, pageLayout="3", firstPageOnLeft="true")["/PageLayout"].startswith("/TwoColumn")
    assert [root(two, magnification=str(n))["/OpenAction"][1] for n in (1, 2, 3)] == ["/Fit", "/FitH", "/FitBH"]
    assert root(two, magnification="4", zoom="50")["/OpenAction"][4] == 0.5
    second = made(two, initialPage="2")
    assert second.trailer["/Root"]["/OpenAction"][0] == second.pages[1].indirect_reference


@scenario("libreoffice")
def pictures_and_native_watermarks_of_office_papers_are_as_wished():
    photo = paper.text(f'<text:p><draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="2cm"><draw:image><office:binary-data>'
                       f"{base64.b64encode(noise(300)).decode()}</office:binary-data></draw:image></draw:frame></text:p>")

    def picture(**fields):
        return next(item.get_object() for item in ask("/forms/libreoffice/convert", fields, [("a.fodt", photo)]).pages().pages[0]["/Resources"]["/XObject"].values())

    assert picture()["/Filter"] == "/DCTDecode" and picture(losslessImageCompression="true")["/Filter"] == "/FlateDecode"
    assert len(picture(quality="5")._data) * 2 < len(picture(quality="90")._data)
    assert picture(reduceImageResolution="true", maxImageResolution="75")["/Width"] < 80 < 200 < picture()["/Width"]

    def marked(**fields):
        answer = ask("/forms/libreoffice/convert", fields, [("a.fodt", paper.text("<text:p>one</text:p>"))])
        return answer.words()[0], pypdfium2.PdfDocument(answer.body)[0].render(scale=1).to_numpy()[:, :, :3].astype(int)

    text, plain = marked(nativeWatermarkText="MARK")
    assert "MARK" in text and marked(nativeTiledWatermarkText="TILE")[0].count("TILE") > 10
    red = marked(nativeWatermarkText="MARK", nativeWatermarkColor=str(0xFF0000))[1]
    assert (red[:, :, 2] - red[:, :, 0]).max() > (plain[:, :, 2] - plain[:, :, 0]).max() + 50
    for wish in [{"nativeWatermarkFontHeight": "150"}, {"nativeWatermarkRotateAngle": "900"}, {"nativeWatermarkFontName": "Liberation Mono"}]:
        assert (marked(nativeWatermarkText="MARK", **wish)[1] != plain).any(), wish


@scenario("libreoffice", "gs")
def archives_can_be_left_to_the_pdf_engines():
    answer = ask("/forms/libreoffice/convert", {"pdfa": "PDF/A-3b", "nativePdfFormats": "false"}, [("a.rtf", "{\\rtf1 x\\par}")])
    assert b"pdfaid" in answer.pages().trailer["/Root"]["/Metadata"].get_data()


@scenario("chromium")
def each_margin_and_every_unit_is_heeded():
    def corner(**fields):
        left, bottom, right, top = pypdfium2.PdfDocument(page("<body style='margin:0'><p style='margin:0;text-align:{}'>X</p>".format(
            fields.pop("side", "left")), fields).body)[0].get_textpage().get_charbox(0)
        return left, 792 - top, 612 - right

    plain = corner(marginTop="0", marginLeft="0", marginRight="0")
    for length in ["1", "1in", "72pt", "96px", "25.4mm", "2.54cm", "6pc"]:
        assert abs(corner(marginTop="0", marginLeft=length)[0] - plain[0] - 72) < 2, length
    assert abs(corner(marginTop="2in", marginLeft="0")[1] - plain[1] - 144) < 2
    right = [corner(side="right", marginTop="0", marginLeft="0", marginRight=length)[2] for length in ("0", "1in")]
    assert abs(right[1] - right[0] - 72) < 2
    long = "<p>line</p>" * 40
    assert len(page(long, {"marginBottom": "6in"}).pages().pages) > len(page(long, {"marginBottom": "0"}).pages().pages)
    assert page("x", {"marginLeft": "wide"}).status == 400


@scenario()
def every_right_is_granted_or_kept_back():
    rights = {"allowPrinting": "PRINT", "allowCopying": "EXTRACT", "allowModifying": "MODIFY", "allowAnnotating": "ADD_OR_MODIFY",
              "allowFillingForms": "FILL_FORM_FIELDS", "allowAssembling": "ASSEMBLE_DOC"}
    known = pypdf.constants.UserAccessPermissions

    def granted(**fields):
        reader = ask("/forms/pdfengines/encrypt", {"userPassword": "in", "ownerPassword": "all", **fields}, [("a.pdf", pdf("one"))]).pages()
        assert reader.decrypt("in")
        return {field for field, name in rights.items() if known[name] in reader.user_access_permissions}

    assert granted() == set(rights)
    for field in rights:
        assert field not in granted(**{field: "false"}), field
    assert granted(**{field: "false" for field in rights}) == set()


@scenario("gs")
def pictures_become_as_coarse_as_they_may_and_a_page_is_never_turned_meanwhile():
    photo = ask("/forms/libreoffice/convert", files=[("a.png", noise(400))]).body
    sizes = [len(ask("/forms/pdfengines/optimize", {"imageQuality": quality}, [("a.pdf", photo)]).body) for quality in ("5", "60", "95")]
    assert sizes == sorted(sizes) and sizes[0] * 3 < sizes[2] < len(photo), (sizes, len(photo))
    also = ask("/forms/pdfengines/merge", {"optimizeImages": "true", "imageQuality": "5"}, [("a.pdf", photo)])
    assert len(also.body) < sizes[1]
    for wrong in ("0", "101", "good"):
        assert ask("/forms/pdfengines/optimize", {"imageQuality": wrong}, [("a.pdf", photo)]).status == 400
    for route, fields in [("optimize", {}), ("convert", {"pdfa": "PDF/A-2b"})]:
        turned = ask("/forms/pdfengines/rotate", {"rotateAngle": "90"}, [("a.pdf", pdf("one"))]).body
        seen = [pypdfium2.PdfDocument(body)[0].get_size() for body in (turned, ask("/forms/pdfengines/" + route, fields, [("a.pdf", turned)]).body)]
        assert [round(side) for side in seen[0]] == [round(side) for side in seen[1]] == [792, 612], (route, seen)


@scenario()
def a_webhook_is_called_again_until_it_answers_and_failures_go_their_own_way():
    WORLD.pages.update({"/busy": (503, {}, b""), "/no": (404, {}, b""), "/told": (200, {}, b"")})
    flags = ["--allow-private", "--webhook-max-retry=2", "--webhook-retry-min-wait=200ms", "--webhook-retry-max-wait=300ms"]

    def hooks(address, error="/told"):
        return {"Gotenberg-Webhook-Url": WORLD.address + address, "Gotenberg-Webhook-Error-Url": WORLD.address + error,
                "Gotenberg-Webhook-Error-Method": "PATCH", "Gotenberg-Trace": "seven"}

    def calls(address):
        return [call for call in WORLD.seen if call[1] == address]

    with Server(*flags, "--webhook-sync") as address, at(address):
        one = [("a.pdf", pdf("one"))]
        assert ask("/forms/pdfengines/merge", files=one, headers=hooks("/busy")).status == 204 and len(calls("/busy")) == 3
        # What the other side says of the request itself is believed.
        assert ask("/forms/pdfengines/merge", files=one, headers=hooks("/no")).status == 204 and len(calls("/no")) == 1
        assert ask("/forms/pdfengines/merge", files=[("a.pdf", b"no pdf")], headers=hooks("/no")).status == 204
        method, _, sent, body = calls("/told")[-1]
        assert method == "PATCH" and sent["Gotenberg-Trace"] == "seven" and sent["Content-Type"] == "application/json"
        told = json.loads(body)
        assert told["status"] == 400 and told["message"] and len(calls("/no")) == 1
        assert ask("/forms/pdfengines/merge", files=one, headers={**hooks("/told"), "Gotenberg-Webhook-Method": "GET"}).status == 400
        assert ask("/forms/pdfengines/merge", files=one, headers={**hooks("/told"), "Gotenberg-Webhook-Extra-Http-Headers": "x"}).status == 400


@scenario("chromium")
def one_job_knows_nothing_of_another():
    WORLD.pages["/setting"] = (200, {"Content-Type": "text/html", "Set-Cookie": "secret=7"},
                               b"<p id=p></p><script>p.textContent = 'found ' + localStorage.getItem('a'); localStorage.setItem('a', 'mine')</script>")
    for _ in range(2):
        before = len(WORLD.seen)
        answer = ask("/forms/chromium/convert/url", {"url": WORLD.address + "/setting"})
        assert "found null" in answer.words()[0]
        assert all("Cookie" not in call[2] for call in WORLD.seen[before:])


@scenario("chromium", "libreoffice")
def a_server_is_down_when_one_of_its_engines_is_and_up_without_those_left_out():
    bare = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /usr/lib/libreoffice && exec "$0" "$@"']
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        return
    with Server(before=bare) as address, at(address):
        health = ask("/health", method="GET")
        told = json.loads(health.body)
        assert health.status == 503 and told["status"] == "down"
        assert (told["details"]["libreoffice"]["status"], told["details"]["chromium"]["status"]) == ("down", "up")
        refused = ask("/forms/libreoffice/convert", files=[("a.rtf", "{\\rtf1 x\\par}")])
        assert refused.status == 503 and "LibreOffice" in refused.text
        assert page("<p>still here</p>").status == 200
    with Server("--libreoffice-disable-routes", before=bare) as address, at(address):
        assert ask("/health", method="GET").status == 200


@scenario("chromium", "libreoffice")
def while_strangers_send_bombs_the_others_are_answered_and_nothing_is_left_of_them():
    laughs = "".join(f'<!ENTITY {name} "{("&" + inner + ";") * 10}">' for name, inner in zip("bcdefghi", "abcdefgh"))
    entities = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha ha ha ha">{laughs}]>'
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" '
                        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>')
        with packed.open("word/document.xml", "w") as document:
            document.write(b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>')
            for _ in range(300):
                document.write(b"<w:p><w:r><w:t>" + b" " * (1 << 20) + b"</w:t></w:r></w:p>")
            document.write(b"</w:body></w:document>")
    sheets = "\n".join(f"{n},a line of a table that never ends" for n in range(600_000))
    huge = noise(8)[:16] + (100_000).to_bytes(4, "big") * 2 + noise(8)[24:]
    WORLD.pages["/forever"] = (302, {"Location": "/forever"}, b"")
    WORLD.pages["/drip"] = (200, {"Content-Type": "image/png"}, None)
    WORLD.pages["/dripping"] = (200, {"Content-Type": "text/html"}, b"<p>page</p><img src='/drip'>")
    frames = "<script>function f() { document.body.append(Object.assign(document.createElement('iframe'), {srcdoc: document.documentElement.outerHTML})) }"
    office, html = "/forms/libreoffice/convert", "/forms/chromium/convert/html"
    hostile = [
        (office, [("laughs.fodt", entities + paper.text("<text:p>&i;</text:p>").split("?>", 1)[1])], {}), (office, [("bomb.docx", bomb.getvalue())], {}),
        (office, [("long.csv", sheets)], {}), (office, [("broken.xlsx", b"PK\3\4" + b"\7" * 500)], {}), (office, [("huge.png", huge)], {}),
        (html, [("index.html", "<script>for (;;) {}</script>")], {}), (html, [("index.html", f"{frames} f()</script>")], {}),
        (html, [("index.html", "<script>const a = []; for (;;) a.push(new Array(1e6).fill(7.5))</script>")], {}),
        (html, [("index.html", "<script>for (;;) new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])))</script>")], {}),
        ("/forms/chromium/convert/url", [], {"url": WORLD.address + "/forever"}), ("/forms/chromium/convert/url", [], {"url": WORLD.address + "/dripping"}),
        ("/forms/pdfengines/flatten", [("a.pdf", b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj trailer<</Root 1 0 R>>")], {}),
    ]
    server = Server("--allow-private", "--api-timeout=8s", "--chromium-idle-shutdown-timeout=1s", "--libreoffice-idle-shutdown-timeout=1s", time=None)
    with server as address, at(address), ThreadPoolExecutor(len(hostile)) as pool:
        sent = [pool.submit(ask, path, fields=fields, files=files) for path, files, fields in hostile]
        served, longest = 0, 0
        while not all(trial.done() for trial in sent):
            begun = time.monotonic()
            assert ask("/health", method="GET").status == 200
            assert ask("/forms/pdfengines/merge", files=[("a.pdf", pdf("one")), ("b.pdf", pdf("two"))]).words() == ["one", "two"]
            longest, served = max(longest, time.monotonic() - begun), served + 1
            time.sleep(0.1)
        answers = [(trial.result().status, path, files[0][0] if files else fields["url"], trial.result().text[:200])
                   for trial, (path, files, fields) in zip(sent, hostile)]
        # What is broken is refused, what never ends ends at the limit; a page that waits for a picture may be printed without it.
        assert all(status in (200, 400, 413, 500, 503) and (text or status == 200) for status, _, _, text in answers), answers
        assert sum(status != 200 for status, *_ in answers) >= len(hostile) - 3, answers
        assert served > 3 and longest < 20, (served, longest)
        # Everything works as before, with engines of its own.
        assert any(page("<p>sound</p>").status == 200 for _ in range(10))
        assert any(ask(office, files=[("a.rtf", "{\\rtf1 Dear Ada\\par}")]).status == 200 for _ in range(10))
        for _ in range(600):
            left = children_of(server.process.pid), glob.glob(f"/tmp/quire-*-{server.process.pid}-*")
            if not any(left):
                break
            time.sleep(0.1)
        assert not any(left), left


@scenario("chromium")
def limits_answer_with_their_own_statuses():
    endless = "<script>for (;;) {}</script>"
    flags = ["--api-timeout=3s", "--api-body-limit=100KB", "--chromium-max-queue-size=1", "--chromium-max-concurrency=1"]
    with Server(*flags, time=None) as address, at(address):
        # Three seconds may be too short for any page while the machine is busy.
        sound = lambda: any(page("<p>x</p>").status == 200 for _ in range(20))  # noqa: E731
        assert sound()
        assert page("<p>" + "x" * 200_000).status == 413
        with ThreadPoolExecutor(8) as pool:
            statuses = [answer.status for answer in pool.map(lambda _: page(endless), range(8))]
        assert set(statuses) == {429, 503}, statuses
        assert sound()


@scenario("chromium")
def work_whose_client_hangs_up_makes_way_for_others():
    with Server("--api-timeout=600s", "--chromium-max-concurrency=1", time=None) as address, at(address):
        assert page("<p>x</p>").status == 200
        host, port = address.removeprefix("http://").rsplit(":", 1)
        body = (b'--b\r\nContent-Disposition: form-data; name="files"; filename="index.html"\r\n\r\n'
                b"<script>for (;;) {}</script>\r\n--b--\r\n")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(b"POST /forms/chromium/convert/html HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; "
                           b"boundary=b\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            # Long enough for it to have begun; if it has not, there is nothing to make way and the rest holds as well.
            client.settimeout(2)
            try:
                assert not client.recv(1), "an endless page was answered"
            except TimeoutError:
                pass
        # Otherwise this one would wait ten minutes for its turn, and its client for two and a half.
        assert page("<p>y</p>").status == 200


@scenario()
def it_is_started_as_gotenberg_is_started():
    world = {"API_ROOT_PATH": "/print/", "API_ENABLE_BASIC_AUTH": "true", "GOTENBERG_API_BASIC_AUTH_USERNAME": "ada",
             "GOTENBERG_API_BASIC_AUTH_PASSWORD": "loom", "CHROMIUM_DISABLE_ROUTES": "true", "API_TRACE_HEADER": "X-Request",
             "PROMETHEUS_NAMESPACE": "desk", "WEBHOOK_DISABLE": "true", "API_ENABLE_DEBUG_ROUTE": "1", "LOG_LEVEL": "debug"}
    with Server("--api-enable-debug-route", "--libreoffice-start-timeout=20s", "--pdfengines-disable-routes=false", environment=world,
                time=None) as address, at(address + "/print"):
        one = [("a.pdf", pdf("one"))]
        assert ask("/forms/pdfengines/merge", files=one).status == 401
        basic = {"Authorization": "Basic " + base64.b64encode(b"ada:loom").decode(), "X-Request": "seven",
                 "Gotenberg-Webhook-Url": WORLD.address + "/never"}
        answer = ask("/forms/pdfengines/merge", files=one, headers=basic)
        assert answer.status == 200 and answer.headers["X-Request"] == "seven"
        assert ask("/forms/chromium/convert/html", files=[("index.html", "x")], headers=basic).status == 404
        assert set(json.loads(ask("/health", method="GET").body)["details"]) <= {"libreoffice"}
        assert "desk_libreoffice_restarts_count" in ask("/prometheus/metrics", method="GET", headers=basic).text
        told = json.loads(ask("/debug", method="GET", headers=basic).body)
        assert told["flags"]["api-root-path"] == "/print/" and "loom" not in json.dumps(told)


@scenario("chromium", "libreoffice")
def each_flag_that_is_heeded_does_what_it_is_called():
    one, sample = [("a.pdf", pdf("one"))], [("a.rtf", "{\\rtf1 Dear Ada\\par}")]
    WORLD.pages["/given"] = (200, {"Content-Disposition": "attachment; filename=given.pdf"}, pdf("given"))
    WORLD.pages["/plain"] = (200, {"Content-Type": "text/html"}, b"<p id=p>quiet</p><script>p.textContent = 'loud'</script>")
    plain, source = {"url": WORLD.address + "/plain"}, {"downloadFrom": json.dumps([{"url": WORLD.address + "/given"}])}
    flatten, url = "/forms/pdfengines/flatten", "/forms/chromium/convert/url"

    def hook(path, error="/told"):
        WORLD.pages.update({path: (200, {}, b""), error: (200, {}, b"")})
        return {"Gotenberg-Webhook-Url": WORLD.address + path, "Gotenberg-Webhook-Error-Url": WORLD.address + error}

    def merged(path, error="/told"):
        return ask("/forms/pdfengines/merge", files=one, headers=hook(path, error)).status

    with Server("--chromium-deny-private-ips=false") as address, at(address):
        assert ask(url, plain).status == 200 and ask(flatten, source).status == 403
    with Server("--api-download-from-deny-private-ips=false", "--api-download-from-allow-list=/given$") as address, at(address):
        assert ask(flatten, source).words() == ["given"] and ask(url, plain).status == 403
        assert ask(flatten, {"downloadFrom": json.dumps([{"url": WORLD.address + "/one"}])}).status == 403
    with Server("--webhook-deny-private-ips=false", "--webhook-enable-sync-mode") as address, at(address):
        assert merged("/kept") == 204 and any(call[1] == "/kept" for call in WORLD.seen)
    with Server("--allow-private", "--api-disable-download-from", "--chromium-disable-javascript", "--chromium-allow-list=/plain$",
                "--prometheus-metrics-path=/told/figures", "--webhook-deny-list=/never", "--webhook-error-allow-list=/told$") as address, at(address):
        assert ask(flatten, source).status == 400 and "quiet" in ask(url, plain).words()[0]
        assert ask(url, {"url": WORLD.address + "/page"}).status == 403
        assert ask("/told/figures", method="GET").status == 200 and ask("/prometheus/metrics", method="GET").status == 404
        assert [merged("/never"), merged("/other", error="/elsewhere"), merged("/other")] == [403, 403, 204]
    with Server("--allow-private", "--prometheus-disable-collect", "--pdfengines-disable-routes", "--webhook-error-deny-list=/told$") as address, at(address):
        assert ask("/prometheus/metrics", method="GET").status == 404 and ask(flatten, files=one).status == 404
        assert ask("/forms/libreoffice/convert", files=sample, headers=hook("/other")).status == 403
    with Server("--allow-private", "--webhook-sync", "--webhook-client-timeout=1s", "--webhook-max-retry=0") as address, at(address):
        WORLD.pages["/slow"] = (200, {}, None)
        begun = time.monotonic()
        headers = {"Gotenberg-Webhook-Url": WORLD.address + "/slow", "Gotenberg-Webhook-Error-Url": WORLD.address + "/told"}
        assert ask("/forms/pdfengines/merge", files=one, headers=headers).status == 204 and time.monotonic() - begun < 20
    server = Server("--chromium-restart-after=1", "--libreoffice-restart-after=1", "--chromium-auto-start", "--libreoffice-auto-start")
    with server as address, at(address):
        for _ in range(600):
            begun = begun_by(server.process.pid)
            if "remote-debugging-pipe" in begun and "quire-engine" in begun:
                break
            time.sleep(0.1)
        assert "remote-debugging-pipe" in begun and "quire-engine" in begun, "nothing was begun before it was asked for"
        for _ in range(3):
            assert page("<p>x</p>").status == 200 and ask("/forms/libreoffice/convert", files=sample).status == 200
        counts = dict(re.findall(r"^gotenberg_(\w+)_restarts_count (\d+)", ask("/prometheus/metrics", method="GET").text, re.M))
        assert int(counts["chromium"]) >= 2 and int(counts["libreoffice"]) >= 2, counts
    with Server("--libreoffice-max-queue-size=1", "--api-timeout=3s", time=None) as address, at(address), ThreadPoolExecutor(10) as pool:
        table = [("a.csv", "\n".join(f"{n},a line of a table that never ends" for n in range(200_000)))]
        statuses = {answer.status for answer in pool.map(lambda _: ask("/forms/libreoffice/convert", files=table), range(10))}
        assert statuses == {429, 503}, statuses


@scenario()
def it_listens_where_the_environment_says_and_speaks_in_secret_with_a_certificate():
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], cwd=folder, check=True, capture_output=True)
        server = subprocess.Popen([QUIRE, "gotenberg", "--json", "--api-port-from-env=MINE", f"--api-tls-cert-file={folder}/cert.pem",
                                   f"--api-tls-key-file={folder}/key.pem"], stdout=subprocess.PIPE, env={**os.environ, "MINE": str(port)})
        try:
            assert json.loads(server.stdout.readline())["port"] == port
            trusted = ssl.create_default_context(cafile=f"{folder}/cert.pem")
            with urllib.request.urlopen(f"https://localhost:{port}/version", context=trusted, timeout=60) as reply:
                assert reply.status == 200
        finally:
            server.terminate()
            server.wait(60)


@scenario()
def flags_that_make_no_sense_are_refused_and_those_without_meaning_named():
    run = lambda *flags: subprocess.run([QUIRE, "gotenberg", *flags], capture_output=True, text=True, timeout=60)  # noqa: E731
    for flag in ["--api-timeout=soon", "--chromium-auto-start=perhaps", "--api-port=many", "--chromium-deny-list=(", "--api-body-limit=x",
                 "--api-enable-basic-auth", "--api-tls-cert-file=/nowhere"]:
        told = run(flag, "--api-bind-ip=127.0.0.1")
        assert told.returncode == 2 or "cannot be read" in told.stderr, (flag, told)
    server = subprocess.Popen([QUIRE, "gotenberg", "--api-port=0", "--chromium-proxy-server=x", "--chromium-ignore-certificate-errors"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    server.stdout.readline()
    server.terminate()
    said = server.communicate(timeout=60)[1]
    assert "--chromium-proxy-server is not heeded" in said and "certificates are always checked" in said


@scenario("chromium")
def a_small_machine_leaves_pages_to_a_large_one_with_all_that_belongs_to_them():
    story = "".join(f"<p>{'The engine weaves algebraic patterns. ' * 12}</p>" for _ in range(3))
    WORLD.pages["/story"] = (200, {"Content-Type": "text/html"}, f"<title>A story</title><nav>Menu</nav><article>{story}</article>".encode())
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run([QUIRE, "convert", WORLD.address + "/story", "--engine", ADDRESS, "--reader", "--cookie", "a=7", "--header",
                              "X-Mine: yes", "--page-footer", "<span class=pageNumber style='font-size:9px'></span>", "--json"],
                             cwd=folder, capture_output=True)
        told = json.loads(out.stdout)
        assert [leg["engine"] for leg in told["report"]["legs"]] == ["remote"], told
        made = Path(told["files"][0]["file"])
        text = pypdf.PdfReader(made).pages[0].extract_text()
        assert made.name == "A story.pdf" and "algebraic" in text and "Menu" not in text
        headers = next(call[2] for call in WORLD.seen if call[1] == "/story")
        assert headers["X-Mine"] == "yes" and "a=7" in headers["Cookie"]
        subprocess.run([QUIRE, "convert", WORLD.address + "/story", "--engine", ADDRESS, "--out", "a.png", "--quiet"], cwd=folder, check=True, capture_output=True)
        assert Path(folder, "a.png").read_bytes().startswith(b"\x89PNG")


@scenario("chromium")
def an_address_is_typed_as_people_type_it_and_the_file_called_by_its_title_or_its_host():
    WORLD.pages["/called"] = (200, {"Content-Type": "text/html"}, b"<title>Called / so</title><p>words")
    WORLD.pages["/nameless"] = (200, {"Content-Type": "text/html"}, b"<p>words")
    host = WORLD.address.removeprefix("http://")
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run([QUIRE, "convert", host + "/called", host + "/nameless", "--allow-private", "--json"], cwd=folder, capture_output=True)
        assert out.returncode == 0, out.stderr
        names = [Path(file["file"]).name for file in json.loads(out.stdout)["files"]]
        assert names[0].startswith("Called") and "/" not in names[0] and names[1] == host.split(":")[0] + ".pdf", names


class at:
    """Asks another server for a while."""

    def __init__(self, address):
        self.address = address

    def __enter__(self):
        global ADDRESS
        self.before, ADDRESS = ADDRESS, self.address

    def __exit__(self, *_):
        global ADDRESS
        ADDRESS = self.before


def begun_by(root):
    """The commands of what a process has begun."""
    commands = []
    for child in children_of(root):
        try:
            commands.append(Path("/proc", str(child), "cmdline").read_text())
        except OSError:
            continue
    return " ".join(commands)


def children_of(root):
    """What a process has begun and those have begun in turn, with the state of each: Z for one that ended and was forgotten."""
    known = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            state, parent = Path("/proc", name, "stat").read_text().rsplit(")", 1)[1].split()[:2]
            known[int(name)] = (int(parent), state)
        except OSError:
            continue
    found, grows = {root}, True
    while grows:
        more = {process for process, (parent, _) in known.items() if parent in found} - found
        found |= more
        grows = bool(more)
    return {process: known[process][1] for process in found - {root}}


class Server:
    def __init__(self, *options, time=100, environment=None, before=()):
        self.before = before
        self.options = [*options, "--time", str(time)] if time else options
        self.environment = {**os.environ, "QUIRE_HOME": "/nonexistent", **(environment or {})}

    def __enter__(self):
        self.process = subprocess.Popen([*self.before, QUIRE, "gotenberg", "--port", "0", "--json", *self.options],
                                        stdout=subprocess.PIPE, env=self.environment)
        return json.loads(self.process.stdout.readline())["address"]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(90)


passed = failed = skipped = 0
WORLD = World()
wanted = sys.argv[2:]
with Server("--allow-private") as ADDRESS:
    health = json.loads(ask("/health", method="GET").body)
    there = {name for name, about in health["details"].items() if about["status"] == "up"}
    there |= {"gs"} if shutil.which("gs") else set()
    for function, engines in SCENARIOS:
        name = function.__name__
        if wanted and not any(word in name for word in wanted):
            continue
        if missing := set(engines) - there:
            skipped += 1
            print("skipped:", name.replace("_", " ") + ":", ", ".join(sorted(missing)), "missing; bin/setup --engines installs it")
            continue
        try:
            function()
            passed += 1
            print("ok   ", name.replace("_", " "))
        except Exception:
            failed += 1
            print("FAIL ", name.replace("_", " "))
            traceback.print_exc(limit=3)
print(f"gotenberg: {passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed else 0)
