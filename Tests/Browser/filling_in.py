"""Forms of the library filled in by hand, on their pages."""

from playwright.sync_api import expect

from desk import accessible, add, more, picture
from keeping import everywhere, fits
from scanning import dots


def holiday(photo=False) -> bytes:
    """A form with words, a comb, lines, a box, one of two, a choice, several of three, and a sum."""
    bodies = ["", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>", ""]
    fields, drawn = [], ["BT /F 18 Tf 60 740 Td (Holiday request) Tj ET"]

    def put(body):
        bodies.append(body)
        return len(bodies)

    mark = put("<</Type/XObject/Subtype/Form/BBox[0 0 14 14]/Length 0>>stream\n\nendstream")

    def field(label, y, kind, entries, height=18, width=240):
        drawn.append(f"BT /F 10 Tf 60 {y + 5} Td ({label}) Tj ET")
        fields.append(put(
            f"<</Type/Annot/Subtype/Widget/F 4/P 4 0 R/FT/{kind}/T({label.lower()})/TU({label})/DA(/F 10 Tf 0 g)"
            f"/Rect[180 {y} {180 + width} {y + height}]{entries}>>"))

    def box(x, y, state):
        return f"/Subtype/Widget/F 4/P 4 0 R/Rect[{x} {y} {x + 14} {y + 14}]/AS/Off/AP<</N<</{state} {mark} 0 R>>>>"

    field("Name", 690, "Tx", "/Ff 2")
    field("Code", 660, "Tx", "/Ff 16777216/MaxLen 5", width=90)
    field("Reason", 590, "Tx", "/Ff 4096", height=54)
    fields.append(put(f"<</Type/Annot/FT/Btn/T(half)/TU(Half days){box(180, 560, 'Yes')}>>"))
    group = len(bodies) + 1
    bodies.append("")
    first, second = put(f"<</Type/Annot/Parent {group} 0 R{box(180, 530, 'Paid')}>>"), put(f"<</Type/Annot/Parent {group} 0 R{box(240, 530, 'Unpaid')}>>")
    bodies[group - 1] = f"<</FT/Btn/Ff 32768/T(pay)/TU(Pay)/Kids[{first} 0 R {second} 0 R]>>"
    fields.append(group)
    field("Office", 500, "Ch", "/Ff 131072/Opt[(North)(South)]")
    field("Days", 470, "Ch", "/Ff 2097152/Opt[(Mon)(Tue)(Wed)]", height=26)
    field("Old", 430, "Tx", "/V(3)", width=60)
    field("New", 400, "Tx", "", width=60)
    field("Sum", 370, "Tx", "/Ff 1/AA<</C<</S/JavaScript/JS(AFSimple_Calculate\\(\"SUM\", new Array \\(\"old\", \"new\"\\)\\);)>>>>", width=60)
    total = fields[-1]
    if photo:
        field("Photo_image", 220, "Btn", "/Ff 65536/MK<</TP 1>>", height=120, width=90)
    content = "\n".join(drawn)
    bodies[3] = (f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents {len(bodies) + 1} 0 R"
                 f"/Annots[{' '.join(f'{each} 0 R' for each in fields if each != group)} {first} 0 R {second} 0 R]>>")
    put(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    bodies[0] = (f"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{' '.join(f'{each} 0 R' for each in fields)}]"
                 f"/CO[{total} 0 R]/DR<</Font<</F 3 0 R>>>>>>>>")
    bodies[1] = "<</Type/Pages/Kids[4 0 R]/Count 1>>"
    out, places = "%PDF-1.7\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n" + "".join(f"{place:010} 00000 n \n" for place in places)
    return (out + f"trailer\n<</Size {len(bodies) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").encode("latin-1")


def values(page):
    place = page.url.split("#")[0]
    fields = page.request.get(place, headers={"Accept": "application/json"}).json()["fields"]
    return {field["name"]: "|".join(field["value"]).replace("\r", "\n") for field in fields}


def open_form(page, press, form=None):
    add(page, "Holiday.pdf", form or holiday())
    page.goto("/documents")
    press(page.get_by_role("link", name="Holiday.pdf").first)
    more(page)
    press(page.get_by_role("link", name="Fill in", exact=True))
    page.locator("fill-desk:defined").wait_for()


@everywhere("A form of the library is filled in on its pages, summed up, kept waiting and kept")
def filled(browser, page, press, name):
    open_form(page, press)
    accessible(page, f"fill in, {name}")
    fits(page)
    count = page.locator("[data-count]")
    expect(count).to_contain_text("1 of")
    expect(count).to_contain_text("1 required field is empty")
    page.get_by_label("Name").fill("Zoë Ångström")
    expect(count).to_contain_text("2 of")
    expect(count).not_to_contain_text("required")
    page.get_by_label("Code").fill("12345")
    page.get_by_label("Reason").fill("First line\nSecond line")
    press(page.get_by_label("Half days"))
    press(page.get_by_role("radio").nth(1))
    page.get_by_label("Office").select_option("South")
    page.get_by_label("Days", exact=True).select_option(["Mon", "Wed"])
    page.get_by_role("textbox", name="New").fill("4.5")
    # The form's own sum, while one types.
    expect(page.get_by_label("Sum", exact=True)).to_have_value("7.5")
    picture(page, f"fill-in-{name}")
    # It waits in this tab.
    page.reload()
    page.locator("fill-desk:defined").wait_for()
    expect(page.get_by_label("Name")).to_have_value("Zoë Ångström")
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    expect(page.locator(".toast")).to_contain_text("not kept yet")
    assert values(page)["name"] == "", "kept before anybody said so"
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".toast").last).to_contain_text("The version before is kept")
    now = values(page)
    assert now == {
        "name": "Zoë Ångström", "code": "12345", "reason": "First line\nSecond line", "half": "Yes", "pay": "Unpaid",
        "office": "South", "days": "Mon|Wed", "old": "3", "new": "4.5", "sum": "7.5",
    }, now
    picture(page, f"fill-in-kept-{name}")
    # A tick is taken away again, and everything else stays.
    press(page.get_by_label("Half days"))
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.get_by_label("Half days")).not_to_be_checked()
    assert values(page) == now | {"half": ""} or values(page) == now | {"half": "Off"}, values(page)
    assert not page.complaints, page.complaints


@everywhere("In a form Enter and the arrows go from field to field, and nothing is kept by chance")
def keys(browser, page, press, name):
    open_form(page, press)
    page.get_by_label("Name").focus()
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Code")).to_be_focused()
    press(page.get_by_role("button", name="Next field"))
    expect(page.get_by_label("Reason")).to_be_focused()
    press(page.get_by_role("button", name="Previous field"))
    expect(page.get_by_label("Code")).to_be_focused()
    assert values(page)["name"] == ""
    page.keyboard.press("Control+s")
    expect(page.locator(".toast").last).to_contain_text("The version before is kept")
    assert values(page)["name"] == "Ana"


@everywhere("What a form would not take is said at its field, with what was typed, and kept only when one says so")
def refused(browser, page, press, name):
    open_form(page, press)
    code = page.get_by_label("Code")
    code.evaluate("(field) => { field.removeAttribute('maxlength'); }")
    code.fill("1234567")
    press(page.get_by_role("button", name="Keep", exact=True))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Nothing has been kept yet")
    expect(alert).to_contain_text("Code")
    expect(code).to_have_value("1234567")
    expect(code).to_have_attribute("aria-invalid", "true")
    accessible(page, f"fill in, refused, {name}")
    picture(page, f"fill-in-refused-{name}")
    assert values(page)["code"] == ""
    press(page.get_by_label("Keep it all the same"))
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".toast").last).to_contain_text("The version before is kept")
    assert values(page)["code"] == "12345"


@everywhere("A picture is put into its field, seen there at once, waits with the rest and is kept in the form")
def photographed(browser, page, press, name):
    open_form(page, press, holiday(photo=True))
    place = page.get_by_role("button", name="Choose a picture")
    expect(place).to_have_count(1)
    accessible(page, f"a field for a picture, {name}")
    with page.expect_file_chooser() as chooser:
        press(place)
    chooser.value.set_files(files=[{"name": "me.png", "mimeType": "image/png", "buffer": dots(40, 40, (b"\0" + b"\xd8\x20\x20" * 40) * 40)}])
    shown = page.locator(".fill-image img")
    expect(shown).to_be_visible()
    expect(page.locator("[data-count]")).to_contain_text("2 of")
    # What is not kept waits for whoever loads the page again.
    page.reload()
    page.locator("fill-desk:defined").wait_for()
    expect(shown).to_be_visible()
    page.get_by_label("Name").first.fill("Ada")
    picture(page, f"byhand-picture-{name}")
    press(page.get_by_role("button", name="Keep", exact=True))
    expect(page.locator(".toast")).to_contain_text("It is written on the paper")
    page.locator("fill-desk:defined").wait_for()
    assert values(page)["name"] == "Ada"
    assert red_share(page, page.url.split("#")[0].replace("/form", "/pages/1?width=612")) > 0.01, "the picture is not on the page"
    picture(page, f"byhand-picture-kept-{name}")
    fits(page)


def red_share(page, address):
    """Of a picture's points, those that are red."""
    return page.evaluate("""async (address) => {
        const picture = await createImageBitmap(await (await fetch(address)).blob());
        const canvas = new OffscreenCanvas(picture.width, picture.height), brush = canvas.getContext("2d");
        brush.drawImage(picture, 0, 0);
        const points = brush.getImageData(0, 0, picture.width, picture.height).data;
        let red = 0;
        for (let at = 0; at < points.length; at += 4) if (points[at] > 200 && points[at + 1] < 80 && points[at + 2] < 80) red += 1;
        return red / points.length * 4;
    }""", address)
