"""Other programs fill the form of traps, each as its documentation says. What one refuses is caught and left out,
field by field where its interface allows it, so that one mistake costs one trap."""
import pathlib
import subprocess
import urllib.parse

HERE = pathlib.Path(__file__).parent / "rivals"
JARS = "/usr/share/java"


def texts(value):
    return value if isinstance(value, list) else ["true" if value is True else str(value)]


def pymupdf(form, record, out):
    import pymupdf

    document = pymupdf.open(form)
    for page in document:
        for widget in page.widgets():
            value = record.get(widget.field_name)
            if value is None:
                continue
            try:
                if widget.field_type == pymupdf.PDF_WIDGET_TYPE_CHECKBOX:
                    widget.field_value = widget.on_state() == value or value is True
                else:
                    widget.field_value = value
                widget.update()
            except Exception:
                pass
    document.save(out)


def pikepdf(form, record, out):
    import pikepdf
    from pikepdf.form import DefaultAppearanceStreamGenerator, Form

    with pikepdf.open(form) as pdf:
        fields = Form(pdf, DefaultAppearanceStreamGenerator)
        for name, value in record.items():
            try:
                field = fields[name]
                if field.is_checkbox:
                    field.checked = True
                else:
                    field.value = value
            except Exception:
                pass
        pdf.save(out)


def pypdf(form, record, out):
    import pypdf

    writer = pypdf.PdfWriter(clone_from=form)
    for name, value in record.items():
        try:
            value = value if isinstance(value, (str, list)) else "/Yes"
            state = f"/{value}" if name in ("agree de", "agree utf8", "pick", "colour") else value
            writer.update_page_form_field_values(None, {name: state}, auto_regenerate=False)
        except Exception:
            pass
    writer.write(out)


def pdfium(form, record, out):
    """PDFium fills as a person would: it sets the focus into a place and types."""
    import ctypes

    import pypdfium2
    import pypdfium2.raw as raw

    document = pypdfium2.PdfDocument(str(form))
    document.init_forms()
    environment = document.formenv
    for page in document:
        for number in range(raw.FPDFPage_GetAnnotCount(page)):
            annotation = raw.FPDFPage_GetAnnot(page, number)
            kind = raw.FPDFAnnot_GetFormFieldType(environment, annotation)
            size = raw.FPDFAnnot_GetFormFieldName(environment, annotation, None, 0)
            buffer = ctypes.create_string_buffer(max(2, size))
            raw.FPDFAnnot_GetFormFieldName(environment, annotation, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
            value = record.get(buffer.raw[:size - 2].decode("utf-16-le"))
            if value is None:
                raw.FPDFPage_CloseAnnot(annotation)
                continue
            box = raw.FS_RECTF()
            raw.FPDFAnnot_GetRect(annotation, box)
            middle = ((box.left + box.right) / 2, (box.bottom + box.top) / 2)
            if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
                size = raw.FPDFAnnot_GetFormFieldExportValue(environment, annotation, None, 0)
                buffer = ctypes.create_string_buffer(max(2, size))
                raw.FPDFAnnot_GetFormFieldExportValue(environment, annotation, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
                if value is True or buffer.raw[:size - 2].decode("utf-16-le") == value:
                    raw.FORM_OnLButtonDown(environment, page, 0, *middle)
                    raw.FORM_OnLButtonUp(environment, page, 0, *middle)
            elif kind in (raw.FPDF_FORMFIELD_LISTBOX, raw.FPDF_FORMFIELD_COMBOBOX):
                raw.FORM_SetFocusedAnnot(environment, annotation)
                labels = {"DE": "Germany", "b": "Beta", "d": "Delta"}
                chosen = [labels.get(v, v) for v in texts(value)]
                done = False
                for index in range(raw.FPDFAnnot_GetOptionCount(environment, annotation)):
                    size = raw.FPDFAnnot_GetOptionLabel(environment, annotation, index, None, 0)
                    buffer = ctypes.create_string_buffer(max(2, size))
                    raw.FPDFAnnot_GetOptionLabel(environment, annotation, index, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
                    if buffer.raw[:size - 2].decode("utf-16-le") in chosen:
                        done = bool(raw.FORM_SetIndexSelected(environment, page, index, True)) or done
                if not done:
                    type_in(raw, environment, page, texts(value)[0])
            elif kind == raw.FPDF_FORMFIELD_TEXTFIELD:
                raw.FORM_SetFocusedAnnot(environment, annotation)
                raw.FORM_SelectAllText(environment, page)
                type_in(raw, environment, page, texts(value)[0])
            raw.FORM_ForceToKillFocus(environment)
            raw.FPDFPage_CloseAnnot(annotation)
    document.save(str(out))


def type_in(raw, environment, page, text):
    import ctypes

    letters = text.encode("utf-16-le") + b"\0\0"
    buffer = (ctypes.c_ushort * (len(letters) // 2)).from_buffer_copy(letters)
    raw.FORM_ReplaceSelection(environment, page, buffer)


def mutool(form, record, out):
    values = HERE / "mutool.js"
    run("mutool", "run", values, form, out, *(x for n, v in record.items() for x in (n, "\n".join(texts(v)))))


def poppler(form, record, out):
    run("/usr/bin/python3", HERE / "poppler_fill.py", form, out, plain(record))


def pdftk(form, record, out):
    """Through XFDF, which knows all letters and several choices."""
    from xml.sax.saxutils import escape, quoteattr

    data = out.with_suffix(".xfdf")
    fields = "".join(
        f"<field name={quoteattr(name)}>{''.join(f'<value>{escape(chr(10).join(v.splitlines()))}</value>' for v in texts(value if value is not True else 'Yes'))}</field>"
        for name, value in nested(record))
    data.write_text(f'<?xml version="1.0" encoding="UTF-8"?><xfdf xmlns="http://ns.adobe.com/xfdf/"><fields>{fields}</fields></xfdf>')
    run("pdftk", form, "fill_form", data, "output", out)


def nested(record):
    return list(record.items())


def pdfbox(form, record, out):
    java("pdfbox2 fontbox2 commons-logging bcprov", "PDFBoxFill.java", form, out, plain(record))


def itext(form, record, out):
    java("itext5 bcprov", "ITextFill.java", form, out, plain(record))


def plain(record):
    """Names and values on one line, for programs that should not need to read JSON."""
    quote = urllib.parse.quote
    return "&".join(f"{quote(n, safe='')}={','.join(quote(t, safe='') for t in texts(v))}" for n, v in record.items())


def java(jars, program, *words):
    path = ":".join(f"{JARS}/{jar}.jar" for jar in jars.split())
    run("java", "-Xshare:auto", "-cp", path, HERE / program, *words)


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, timeout=180)
    if done.returncode != 0:
        said = [line for line in done.stderr.decode(errors="replace").split("\n") if line.strip()]
        raise RuntimeError(next((line for line in said if "xception" in line or "rror" in line), " ".join(said[:1])))


ALL = {"PDFium": pdfium, "poppler-glib": poppler, "pdftk-java": pdftk, "iText 5": itext, "PDFBox 2": pdfbox, "PyMuPDF": pymupdf,
       "mutool": mutool, "pikepdf": pikepdf, "pypdf": pypdf}
