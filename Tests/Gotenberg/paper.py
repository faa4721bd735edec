"""Office papers in one file, written by hand, so that no archive is needed."""

SPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{path}:1.0"' for name, path in {
    "office": "office", "text": "text", "table": "table", "style": "style", "draw": "drawing", "form": "form", "presentation": "presentation",
    "fo": "xsl-fo-compatible", "svg": "svg-compatible"}.items()) + (
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"')


def flat(kind, body, styles="", head=""):
    return (f'<?xml version="1.0"?><office:document {SPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.{kind}">'
            f"{head}<office:automatic-styles>{styles}</office:automatic-styles><office:body>{body}</office:body></office:document>")


def text(body, styles="", head=""):
    return flat("text", f"<office:text>{body}</office:text>", styles, head)


def style(name, before, more="", master=""):
    """Of paragraphs that begin a page."""
    master = f' style:master-page-name="{master}"' if master else ""
    return (f'<style:style style:name="{name}" style:family="paragraph"{master}>'
            f'<style:paragraph-properties fo:break-before="{before}" {more}/></style:style>')


def forms(*names):
    """A field for each name, on a line of its own."""
    fields = "".join(f'<form:text form:name="{name}" form:id="c{n}" xml:id="c{n}" form:current-value="Ada"/>' for n, name in enumerate(names))
    places = "".join(f'<text:p><draw:control text:anchor-type="as-char" svg:width="5cm" svg:height="1cm" draw:control="c{n}"/></text:p>'
                     for n, _ in enumerate(names))
    return (f'<office:forms form:automatic-focus="false" form:apply-design-mode="false"><form:form form:name="Form">{fields}</form:form>'
            f"</office:forms>{places}")


def slides(*slides):
    """A slide with notes for each pair of words and whether it is hidden; the first comes with an effect."""
    properties = {True: 'presentation:visibility="hidden"', False: 'presentation:transition-style="fade-from-left"'}
    styles = "".join(f'<style:style style:name="{hidden}" style:family="drawing-page"><style:drawing-page-properties {said}/></style:style>'
                     for hidden, said in properties.items())
    frame = '<draw:frame {} svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="5cm"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'
    pages = "".join(
        f'<draw:page draw:name="s{n}" draw:style-name="{hidden}">{frame.format("", words)}<presentation:notes>'
        f'{frame.format("presentation:class=" + chr(34) + "notes" + chr(34), "note of " + words)}</presentation:notes></draw:page>'
        for n, (words, hidden) in enumerate(slides))
    return flat("presentation", f"<office:presentation>{pages}</office:presentation>", styles)
