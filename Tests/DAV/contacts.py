"""Asks the desk's contacts over CardDAV what other programs and the standards ask: RFC 6352 with 3744, 4918, 5689, 5995,
6578, 7240 and 8144. Each line is a sentence that holds or does not; the last one counts them.

    contacts.py ADDRESS TOKEN
"""

import base64
import http.client
import sys
import urllib.parse
import xml.etree.ElementTree as tree

address, token = sys.argv[1:]
host = urllib.parse.urlsplit(address).netloc
D, C, S = "{DAV:}", "{urn:ietf:params:xml:ns:carddav}", "{http://calendarserver.org/ns/}"
SPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav" xmlns:S="http://calendarserver.org/ns/"'
SIGNED = "Basic " + base64.b64encode(f"any:{token}".encode()).decode()
TOP, HOME, BOOK = "/carddav/", "/carddav/me/", "/carddav/me/contacts/"
counts = {True: 0, False: 0}
line = http.client.HTTPConnection(host, timeout=60)


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.bytes = response.status, response.headers, response.read()

    @property
    def text(self):
        return self.bytes.decode()

    @property
    def root(self):
        return tree.fromstring(self.bytes)

    @property
    def error(self):
        """What did not hold, in the words of the standard."""
        root = self.root
        return [child.tag for child in root] if root.tag == D + "error" else []

    @property
    def found(self):
        """By address: the status of a thing, or of each of its properties."""
        things = {}
        for one in self.root.findall(D + "response"):
            properties = {
                prop.tag: (int(stat.findtext(D + "status").split()[1]), prop)
                for stat in one.findall(D + "propstat")
                for prop in stat.find(D + "prop")
            }
            status = one.findtext(D + "status")
            things[one.findtext(D + "href")] = int(status.split()[1]) if status else properties
        return things

    def said(self, name, where=BOOK):
        status, prop = self.found[where].get(name, (404, None))
        return prop if status == 200 else None


def ask(method, path, body="", signed=True, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if signed:
        headers["Authorization"] = SIGNED
    line.request(method, path, body.encode() if isinstance(body, str) else body, headers)
    return Answer(line.getresponse())


def announced(path, length):
    """What is said to a card of which only the length has come."""
    other = http.client.HTTPConnection(host, timeout=60)
    other.putrequest("PUT", path)
    for name, value in [("Authorization", SIGNED), ("Content-Type", "text/vcard"), ("Content-Length", str(length))]:
        other.putheader(name, value)
    other.endheaders()
    answer = Answer(other.getresponse())
    other.close()
    return answer


def xml(name, inside, attributes=""):
    return f'<?xml version="1.0" encoding="utf-8"?><{name} {SPACES}{attributes}>{inside}</{name}>'


def find(path, props, depth="0", **headers):
    return ask("PROPFIND", path, xml("D:propfind", f"<D:prop>{props}</D:prop>"), Depth=depth, **headers)


def patch(path, inside, **headers):
    return ask("PROPPATCH", path, xml("D:propertyupdate", inside), **headers)


def report(name, inside, path=BOOK, attributes="", **headers):
    return ask("REPORT", path, xml(name, inside, attributes), **headers)


def query(filters, more="", props="<D:getetag/>", attributes=""):
    return report(
        "C:addressbook-query", f"<D:prop>{props}</D:prop><C:filter{attributes}>{filters}</C:filter>{more}"
    )


def names(answer):
    return sorted(
        address.rsplit("/", 1)[1] for address, status in answer.found.items() if isinstance(status, dict)
    )


def card(uid, name, *more):
    return "\r\n".join(
        ["BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", f"N:{name};;;;", f"FN:{name}", *more, "END:VCARD", ""]
    )


def put(name, body, kind="text/vcard; charset=utf-8", **headers):
    return ask("PUT", BOOK + name, body, Content_Type=kind, **headers)


def holds(sentence, test, seen=None):
    counts[bool(test)] += 1
    if not test:
        print(f"FAIL {sentence}")
        if seen is not None:
            print(f"     {seen.status} {seen.bytes[:600]!r}")


# MARK: Finding the way

a = ask("PROPFIND", "/.well-known/carddav", signed=False)
holds("the well-known address leads on, whatever is asked", a.status == 301 and a.headers["Location"] == TOP, a)
holds("who shows no password is asked for one", ask("PROPFIND", TOP, signed=False).status == 401)
a = ask("OPTIONS", BOOK)
holds("a server of address books says so", {"1", "3", "addressbook"} <= {w.strip() for w in a.headers["DAV"].split(",")}, a)
holds("and offers no new books, as there is one", "extended-mkcol" not in a.headers["DAV"])
a = find(TOP, "<D:current-user-principal/><D:principal-collection-set/>")
holds("the way to oneself", a.said(D + "current-user-principal", TOP)[0].text == HOME, a)
a = find(HOME, "<C:addressbook-home-set/><D:principal-URL/><D:displayname/><D:group-membership/>")
holds("the way to one's books", a.said(C + "addressbook-home-set", HOME)[0].text == HOME, a)
holds("a principal of RFC 3744", a.said(D + "principal-URL", HOME)[0].text == HOME and a.said(D + "group-membership", HOME) is not None, a)
a = find(HOME, "<D:resourcetype/><D:sync-token/><S:getctag/><D:current-user-privilege-set/>", "1")
holds("one book below it", [k for k in a.found if a.said(D + "resourcetype", k).find(C + "addressbook") is not None] == [BOOK], a)
may = {p[0].tag for p in a.said(D + "current-user-privilege-set", HOME)}
holds("where no other can be made", D + "bind" not in may and D + "write-content" not in may, a)
may = {p[0].tag for p in a.said(D + "current-user-privilege-set")}
holds("and cards can", {D + "bind", D + "unbind", D + "write-content", D + "write-properties"} <= may, a)
a = ask("PROPFIND", BOOK, Depth="0")
holds("what is asked without a body is all that is usual", a.said(D + "resourcetype") is not None, a)
a = ask("PROPFIND", BOOK, xml("D:propfind", "<D:allprop/><D:include><C:supported-address-data/></D:include>"), Depth="0")
holds("and what is asked for besides", len(a.said(C + "supported-address-data")) == 2, a)
a = ask("PROPFIND", BOOK, xml("D:propfind", "<D:propname/>"), Depth="0")
holds("all properties are named", {D + "acl", D + "owner", C + "max-resource-size", S + "getctag"} <= set(a.found[BOOK]), a)
a = find(BOOK, "<D:displayname/><D:nothing/>", Prefer="return=minimal")
holds("what is not there is left out for who wants little", list(a.found[BOOK]) == [D + "displayname"] and a.headers["Preference-Applied"], a)
a = find(BOOK, "<D:displayname/><D:nothing/>", Brief="t")
holds("also as Apple's programs say it", list(a.found[BOOK]) == [D + "displayname"], a)
a = ask("PROPFIND", BOOK, xml("D:propfind", "<D:something/>"), Depth="0")
holds("a question that asks nothing is refused", a.status == 400, a)

# MARK: Putting cards

plain = card("one", "Ada", "EMAIL;type=INTERNET;type=WORK;type=pref:ada@example.org", "item1.ADR;type=WORK:;;1 Street;Town;;;", "item1.X-ABADR:us", "X-ODD;VALUE=URI:geo:1\\,2", "NOTE:Ένα\\, two")
a = put("one.vcf", plain, If_None_Match="*")
holds("a card is new", a.status == 201 and a.headers["ETag"], a)
tag = a.headers["ETag"]
a = ask("GET", BOOK + "one.vcf")
holds("and comes back as it is", a.text == plain and a.headers["ETag"] == tag, a)
a = ask("HEAD", BOOK + "one.vcf")
holds("its head says how long it is", a.status == 200 and int(a.headers["Content-Length"]) == len(plain.encode()) and not a.bytes, a)
a = find(BOOK + "one.vcf", "<D:getcontentlength/><D:resource-id/><D:getetag/>")
holds("so does a property", a.said(D + "getcontentlength", BOOK + "one.vcf").text == str(len(plain.encode())), a)
holds("it has a name for good", a.said(D + "resource-id", BOOK + "one.vcf")[0].text.startswith("urn:uuid:"), a)
holds("it is not made twice", put("one.vcf", plain, If_None_Match="*").status == 412)
holds("nor written over by who knows another", put("one.vcf", plain, If_Match='"x"').status == 412)
holds("who knows it writes it again", put("one.vcf", plain, If_Match=tag).status == 204)
a = put("two.vcf", card("one", "Ada again"))
holds("nobody is there twice", a.status == 403 and a.error == [C + "no-uid-conflict"] and a.root[0][0].text == BOOK + "one.vcf", a)
a = put("one.vcf", card("other", "Somebody else"))
holds("nor becomes somebody else", a.status == 403 and a.error == [C + "no-uid-conflict"], a)
for kind, body, condition, sentence in [
    ("text/xml; charset=utf-8", "<a/>", "supported-address-data", "what is no card is not taken"),
    ("text/calendar", card("cal", "Cal"), "supported-address-data", "nor under another name"),
    ("text/vcard", card("x", "X").replace("VCARD", "XCARD"), "valid-address-data", "nor what only looks like one"),
    ("text/vcard", card("x", "X") + card("y", "Y"), "valid-address-data", "nor two at once"),
    ("text/vcard", card("old", "Old").replace("3.0", "2.1"), "supported-address-data", "nor one of the old form"),
]:
    a = put("bad.vcf", body, kind)
    holds(sentence, a.status == 403 and a.error == [C + condition], a)
a = announced(BOOK + "bad.vcf", int(find(BOOK, "<C:max-resource-size/>").said(C + "max-resource-size").text) + 1)
holds("nor one that is too large, before it has come", a.status == 403 and a.error == [C + "max-resource-size"], a)
a = put("latin.vcf", card("latin", "Fernández").encode("latin-1"))
holds("other letters are taken, and the card is read again", a.status == 201 and not a.headers["ETag"], a)
holds("in those of the standard", "FN:Fernández\r\n" in ask("GET", BOOK + "latin.vcf").text)
a = put("control.vcf", card("control", "Con\x01trol", "NOTE:a\x0bb"))
holds("control characters are left out", a.status == 201 and not a.headers["ETag"], a)
holds("so that no telephone stops at them", ask("GET", BOOK + "control.vcf").text == card("control", "Control", "NOTE:ab"))
unix = card("lines", "Lines", "EMAIL:lines@example.org", "NOTE:short").replace("\r\n", "\n")
a = put("lines.vcf", unix)
holds("lines may end otherwise", a.status == 201 and ask("GET", BOOK + "lines.vcf").text == unix, a)
a = report("C:addressbook-multiget", f'<D:prop><C:address-data><C:prop name="UID"/><C:prop name="EMAIL"/><C:prop name="NOTE" novalue="yes"/></C:address-data></D:prop><D:href>{BOOK}lines.vcf</D:href>')
some = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:lines\r\nEMAIL:lines@example.org\r\nNOTE:\r\nEND:VCARD\r\n"
holds("some of its lines come with the ends of the standard", a.said(C + "address-data", BOOK + "lines.vcf").text == some, a)
add = find(BOOK, "<D:add-member/>").said(D + "add-member")[0].text
a = ask("POST", add, card("posted", "Posted"), Content_Type="text/vcard")
holds("the desk names what is posted", a.status == 201 and ask("GET", a.headers["Location"]).status == 200, a)
holds("it goes when it is what it was", ask("DELETE", a.headers["Location"], If_Match='"x"').status == 412 and ask("DELETE", a.headers["Location"], If_Match=a.headers["ETag"]).status == 204)
holds("what is not there cannot go", ask("DELETE", a.headers["Location"]).status == 404)
holds("the book itself stays", ask("DELETE", BOOK).status == 403 and ask("DELETE", TOP).status == 403)

# MARK: Other names

a = ask("COPY", BOOK + "one.vcf", Destination=address + BOOK + "copy.vcf")
holds("nobody is copied", a.status == 403 and a.error == [C + "no-uid-conflict"], a)
holds("nor over somebody", ask("COPY", BOOK + "one.vcf", Destination=address + BOOK + "lines.vcf", Overwrite="F").status == 412)
a = ask("MOVE", BOOK + "lines.vcf", Destination=address + BOOK + "moved%20lines.vcf")
holds("a card may be called otherwise", a.status == 201 and ask("GET", BOOK + "moved%20lines.vcf").text == unix, a)
holds("and is where it was no more", ask("GET", BOOK + "lines.vcf").status == 404)
holds("but not take another's place", ask("MOVE", BOOK + "moved%20lines.vcf", Destination=BOOK + "one.vcf").error == [C + "no-uid-conflict"])
holds("unless that is not meant", ask("MOVE", BOOK + "moved%20lines.vcf", Destination=BOOK + "one.vcf", Overwrite="F").status == 412)
holds("the rest goes nowhere", ask("MOVE", TOP, Destination="/move/").status == 403 and ask("COPY", TOP, Destination="/copy/").status == 403)
kind = "<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>"
make = lambda path, props: ask("MKCOL", path, xml("D:mkcol", f"<D:set><D:prop>{props}</D:prop></D:set>") if props else "")
a = make(HOME + "second/", kind + "<D:displayname>Second</D:displayname>")
holds("there is one book", a.status == 403 and a.error == [C + "addressbook-collection-location-ok"], a)
a = make(BOOK, kind)
holds("which is there", a.status == 403 and a.error == [D + "resource-must-be-null"], a)
holds("as the older standard says it", make(BOOK, "").status == 405)
a = make(HOME + "second/", "<D:resourcetype><D:collection/><D:else/></D:resourcetype><D:displayname>x</D:displayname>")
holds("another kind of place is refused by its kind", a.status == 403 and a.root.tag == D + "mkcol-response" and a.root[0].find(f"{D}error/{D}valid-resourcetype") is not None and "424" in a.root[1].findtext(D + "status"), a)
a = make(HOME + "second/", kind + "<D:getetag>x</D:getetag>")
holds("and what is not to be said by what it is", a.status == 403 and a.root[0].find(f"{D}prop/{D}getetag") is not None, a)

# MARK: What programs write for themselves

a = patch(BOOK, "<D:set><D:prop xml:lang='fr-CA'><D:details>Mon nom</D:details><D:details2 xml:lang='en'>My name</D:details2></D:prop></D:set>")
holds("a property is written", all(a.said(D + n) is not None for n in ["details", "details2"]), a)
a = find(BOOK, "<D:details/><D:details2/>")
lang = "{http://www.w3.org/XML/1998/namespace}lang"
holds("and read", a.said(D + "details").text == "Mon nom" and a.said(D + "details2").text == "My name", a)
holds("in its language", a.said(D + "details").get(lang) == "fr-CA" and a.said(D + "details2").get(lang) == "en", a)
holds("written as Apple's scripts look for it", "details2 xml:lang='en'" in a.text, a)
a = patch(BOOK, """<D:set><D:prop><D:details3 xml:lang="a'b&amp;">x</D:details3></D:prop></D:set>""")
holds("whatever that is called", find(BOOK, "<D:details3/>").said(D + "details3").get(lang) == "a'b&")
a = patch(BOOK, "<D:set><D:prop><D:resourcetype/></D:prop></D:set><D:remove><D:prop><D:details/></D:prop></D:remove>")
holds("all of it is done or nothing", a.found[BOOK][D + "resourcetype"][0] == 403 and a.found[BOOK][D + "details"][0] == 424, a)
holds("and it is said why", a.root.find(f".//{D}error/{D}cannot-modify-protected-property") is not None, a)
holds("so nothing is gone", find(BOOK, "<D:details/>").said(D + "details") is not None)
a = patch(BOOK, "<D:remove><D:prop><D:details/><D:missing/></D:prop></D:remove>", Prefer="return=minimal")
holds("what is removed is gone, and nothing is said of it", a.status == 200 and not a.bytes and find(BOOK, "<D:details/>").said(D + "details") is None, a)
a = patch(BOOK, "<D:set><D:prop><D:displayname>people &lt;- &amp; ]]&gt;</D:displayname><C:addressbook-description xml:lang='en'>All</C:addressbook-description></D:prop></D:set>")
holds("the book is called as it is wanted", find(BOOK, "<D:displayname/>").said(D + "displayname").text == "people <- & ]]>", a)
deep = "<x:a xmlns:x='urn:x' kind='1'><x:b n='2'>c</x:b></x:a>"
a = patch(BOOK + "one.vcf", f"<D:set><D:prop>{deep}<D:displayname>One</D:displayname></D:prop></D:set>")
ask("MOVE", BOOK + "one.vcf", Destination=BOOK + "ein%20s.vcf")
a = ask("PROPFIND", BOOK, xml("D:propfind", "<D:allprop/>"), Depth="1")
mine = a.said("{urn:x}a", BOOK + "ein%20s.vcf")
holds("a card keeps what was written on it, wherever it goes", mine is not None and mine[0].get("n") == "2" and mine[0].text == "c", a)
ask("MOVE", BOOK + "ein%20s.vcf", Destination=BOOK + "one.vcf")
holds("also what it is called", find(BOOK + "one.vcf", "<D:displayname/>").said(D + "displayname", BOOK + "one.vcf").text == "One")
a = patch(HOME, f"<D:set><D:prop><S:me-card><D:href>{BOOK}one.vcf</D:href></S:me-card></D:prop></D:set>")
holds("which card is oneself is kept", find(HOME, "<S:me-card/>").said(S + "me-card", HOME)[0].text == BOOK + "one.vcf", a)

# MARK: Reports

for uid, name, *more in [
    ("q1", "Zoë Ábel", "EMAIL;TYPE=WORK,pref:zoe@apple.example", "item1.URL:https://example.jp"),
    ("q2", "John Anders", "EMAIL;TYPE=HOME:john@Example.org", "NOTE:a contact"),
    ("q3", "Straße", "TEL:+1 555 0100", "item1.TEL:+1 555 0199"),
]:
    put(uid + ".vcf", card(uid, name, *more))


def found(filters, attributes=""):
    return [n[:2] for n in names(query(filters, attributes=attributes)) if n[:1] == "q"]


def prop(name, inside="", attributes=""):
    return f'<C:prop-filter name="{name}"{attributes}>{inside}</C:prop-filter>'


def text(words, attributes=""):
    return f"<C:text-match{attributes}>{words}</C:text-match>"


for sentence, asked, wanted in [
    ("everybody without a question", found(""), ["q1", "q2", "q3"]),
    ("who has something", found(prop("EMAIL")), ["q1", "q2"]),
    ("who has not", found(prop("EMAIL", "<C:is-not-defined/>")), ["q3"]),
    ("one of two things", found(prop("TEL") + prop("NOTE")), ["q2", "q3"]),
    ("both of two things", found(prop("EMAIL") + prop("NOTE"), ' test="allof"'), ["q2"]),
    ("words of any case", found(prop("EMAIL", text("EXAMPLE.ORG", ' match-type="ends-with"'))), ["q2"]),
    ("words in letters beyond ASCII", found(prop("FN", text("ZOË áb"))), ["q1"]),
    ("which i;ascii-casemap leaves alone", found(prop("FN", text("ZOË", ' collation="i;ascii-casemap"'))), []),
    ("but for the others", found(prop("FN", text("ZOë", ' collation="i;ascii-casemap"'))), ["q1"]),
    ("and i;octet all", found(prop("FN", text("john", ' collation="i;octet"'))), []),
    ("how something begins", found(prop("FN", text("jo", ' match-type="starts-with"'))), ["q2"]),
    ("what something is", found(prop("UID", text("q3", ' match-type="equals"'))), ["q3"]),
    ("what it is not", found(prop("EMAIL", text("apple", ' negate-condition="yes"'))), ["q2"]),
    ("two words in one thing", found(prop("FN", text("john") + text("and"), ' test="allof"')), ["q2"]),
    ("a thing of a kind", found(prop("EMAIL", '<C:param-filter name="TYPE">' + text("pref") + "</C:param-filter>")), ["q1"]),
    ("a thing with a word and of a kind", found(prop("EMAIL", text(".org") + '<C:param-filter name="type">' + text("work") + "</C:param-filter>", ' test="allof"')), []),
    ("a thing of no kind", found(prop("EMAIL", '<C:param-filter name="X"><C:is-not-defined/></C:param-filter>')), ["q1", "q2"]),
    ("things that belong together", found(prop("URL", text("jp")) + prop("item1.TEL", text("0199"))), ["q1", "q3"]),
    ("and those alone", found(prop("item1.TEL", text("0100"))), []),
]:
    holds(f"asked for {sentence}: {asked}", asked == wanted)
a = report("C:addressbook-query", "<D:prop><D:getetag/></D:prop>")
holds("a query needs no filter", "q1.vcf" in names(a), a)
a = report("C:addressbook-query", f"<C:filter>{prop('UID')}</C:filter>")
holds("nor anything to be known", "q1.vcf" in names(a), a)
a = report("C:addressbook-query", f"<D:prop><D:getetag/></D:prop><C:filter>{prop('FN', text('z'))}</C:filter>", BOOK + "q2.vcf")
holds("one card alone may be asked", a.status == 207 and not a.found, a)
a = query(prop("UID", text("q")), "<C:limit><C:nresults>2</C:nresults></C:limit>")
holds("a few are enough", names(a) == ["q1.vcf", "q2.vcf"] and a.found[BOOK] == 507, a)
for filters, condition in [
    (prop("FN", text("x", ' collation="i;else"')), "supported-collation"),
    (prop("FN", "<C:time-range/>"), "supported-filter"),
    ("<C:prop-filter/>", "valid-filter"),
    (prop("FN", text("x", ' match-type="like"')), "valid-filter"),
]:
    a = query(filters)
    holds(f"a question beyond {condition} is refused", a.status == 403 and a.error == [C + condition], a)
a = query("", props='<C:address-data content-type="text/vcards" version="2.0"/>')
holds("cards of other forms there are not", a.status == 403 and a.error == [C + "supported-address-data"], a)
a = report("C:addressbook-multiget", f'<D:prop><D:getetag/><C:address-data content-type="text/vcard" version="4.0"/></D:prop><D:href>{BOOK}q1.vcf</D:href><D:href>{BOOK}gone.vcf</D:href><D:href>{address}{BOOK}q2.vcf</D:href>')
holds("cards come by their addresses, in the form that is wanted", "VERSION:4.0\r\n" in a.said(C + "address-data", BOOK + "q1.vcf").text and names(a) == ["q1.vcf", "q2.vcf"], a)
holds("and who is gone is said to be", a.found[BOOK + "gone.vcf"] == 404, a)
for inside in ["<D:allprop/>", "<D:propname/>"]:
    a = report("C:addressbook-multiget", f"{inside}<D:href>{BOOK}q1.vcf</D:href>")
    holds(f"with {inside}", D + "getetag" in a.found[BOOK + "q1.vcf"], a)

# MARK: What is new


def sync(since, path=BOOK, more="", level="<D:sync-level>1</D:sync-level>", **headers):
    return report("D:sync-collection", f"<D:sync-token>{since}</D:sync-token>{level}{more}", path, **headers)


props = "<D:prop><D:getetag/><D:getcontenttype/></D:prop>"
a = sync("", more=props)
holds("first everybody is new", {"q1.vcf", "one.vcf"} <= set(names(a)), a)
start = a.root.findtext(D + "sync-token")
put("new.vcf", card("new", "New"))
ask("DELETE", BOOK + "q3.vcf")
ask("MOVE", BOOK + "q2.vcf", Destination=BOOK + "q4.vcf")
a = sync(start, more=props)
holds("then who is", names(a) == ["new.vcf", "q4.vcf"], a)
holds("and who is gone", [a.found[BOOK + n] for n in ["q3.vcf", "q2.vcf"]] == [404, 404], a)
new = a.root.findtext(D + "sync-token")
holds("then nobody", not sync(new).found and sync(new).root.findtext(D + "sync-token") == new)
a = sync("urn:x:never")
holds("a token that nobody gave is none", a.status == 403 and a.error == [D + "valid-sync-token"], a)
seen, part, rounds = [], "", 0
while rounds < 9:
    a = sync(part, more="<D:limit><D:nresults>3</D:nresults></D:limit>" + props)
    seen += names(a)
    part, rounds = a.root.findtext(D + "sync-token"), rounds + 1
    if a.found.get(BOOK) != 507:
        break
holds("a long answer comes in parts", rounds == 3 and len(seen) == len(set(seen)) == 7, a)
a = sync("", HOME)
holds("the way to the books knows the book", list(a.found) == [BOOK], a)
a = sync("", HOME, level="<D:sync-level>infinite</D:sync-level>", more=props)
holds("and all that is in it", {BOOK, BOOK + "q1.vcf"} <= set(a.found), a)
put("new.vcf", card("new", "Newer"))
a = sync(new, HOME, level="", Depth="infinity")
holds("as programs from before the standard ask", list(a.found) == [BOOK, BOOK + "new.vcf"], a)
now = a.root.findtext(D + "sync-token")
holds("nothing is new there either", not sync(now, HOME).found)
holds("it is the token that the places have", now == find(HOME, "<D:sync-token/>").said(D + "sync-token", HOME).text == find(BOOK, "<S:getctag/>").said(S + "getctag").text)
holds("above there is none", sync("", TOP).error == [D + "supported-report"])
a = find(HOME, "<D:supported-report-set/>")
holds("it is among the reports", a.said(D + "supported-report-set", HOME).find(f".//{D}sync-collection") is not None, a)

# MARK: Who is who

a = report("D:principal-match", "<D:self/><D:prop><D:displayname/></D:prop>", TOP)
holds("one finds oneself", list(a.found) == [HOME], a)
a = report("D:principal-match", "<D:principal-property><D:owner/></D:principal-property>")
holds("and what is one's own", BOOK + "q1.vcf" in a.found, a)
search = lambda words: report("D:principal-property-search", f"<D:property-search><D:prop><D:displayname/></D:prop><D:match>{words}</D:match></D:property-search>", TOP)
holds("one is found by one's name", list(search("").found) == [HOME] and not search("nobody is called so").found)
a = report("D:principal-search-property-set", "", TOP)
holds("which is what there is to look for", a.status == 200 and a.root.find(f".//{D}displayname") is not None, a)
holds("but not among cards", report("D:principal-search-property-set", "").error == [D + "supported-report"])
for name in ["principal-match", "principal-property-search", "principal-search-property-set"]:
    holds(f"{name} asks no deeper", report("D:" + name, "", TOP, Depth="1").status == 400)
a = report("D:acl-principal-prop-set", "<D:prop><D:displayname/></D:prop>", BOOK + "q1.vcf")
holds("who may do something with a card", list(a.found) == [HOME], a)
holds("is asked with what is to be known", report("D:acl-principal-prop-set", "", BOOK + "q1.vcf").status == 400)
a = report("D:expand-property", '<D:property name="current-user-principal"><D:property name="addressbook-home-set" namespace="urn:ietf:params:xml:ns:carddav"/></D:property>', TOP)
inner = a.root.find(f".//{D}current-user-principal/{D}response")
holds("properties lead on", inner is not None and inner.find(f".//{C}addressbook-home-set/{D}href").text == HOME, a)
holds("what nobody knows is no report", report("D:version-tree", "").error == [D + "supported-report"])

for left in names(sync("")):
    ask("DELETE", BOOK + left)
patch(BOOK, "<D:remove><D:prop><D:displayname/><C:addressbook-description/><D:details2/><D:details3/></D:prop></D:remove>")
holds("nobody is left", not [k for k, v in sync("").found.items() if isinstance(v, dict)])

print(f"contacts: {counts[True]} passed, {counts[False]} failed")
sys.exit(bool(counts[False]))
