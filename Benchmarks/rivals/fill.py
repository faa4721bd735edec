"""Fills or merges with a Python library, as its documentation says, and prints the CPU a document costs in
milliseconds; for merged files their size too.

    fill.py WHAT FORM ROWS.json FOLDER COPIES
"""
import ctypes
import json
import os
import resource
import subprocess
import sys

what, form, rows, folder, copies = sys.argv[1], sys.argv[2], json.load(open(sys.argv[3])), sys.argv[4], int(sys.argv[5])
os.makedirs(folder, exist_ok=True)


def pikepdf_filled(row):
    import pikepdf
    from pikepdf.form import DefaultAppearanceStreamGenerator, Form

    pdf = pikepdf.open(form)
    fields = Form(pdf, DefaultAppearanceStreamGenerator)
    for name, value in row.items():
        if not value:
            continue
        try:
            field = fields[name]
            if field.is_text:
                field.value = value
            elif field.is_checkbox:
                field.checked = value != "/Off"
            elif field.is_choice or field.is_radio_button:
                field.value = value
        except Exception:
            # What it cannot do is left out: its time counts, its mistakes do not.
            pass
    return pdf


def fill_pikepdf():
    for copy in range(copies):
        with pikepdf_filled(rows[copy % len(rows)]) as pdf:
            pdf.save(f"{folder}/{copy}.pdf")


def merge_pikepdf():
    """Filled, flattened, the pages put behind one another; streams that are the same are then stored once."""
    import pikepdf

    merged = pikepdf.new()
    kept = {}
    for copy in range(copies):
        with pikepdf_filled(rows[copy % len(rows)]) as pdf:
            pdf.flatten_annotations()
            merged.pages.extend(pdf.pages)
    for thing in merged.objects:
        if isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == "/Page":
            for owner, key in ((thing, "/Contents"),):
                part = owner.get(key)
                if isinstance(part, pikepdf.Stream):
                    owner[key] = kept.setdefault(part.read_raw_bytes(), part)
    merged.save(f"{folder}/merged.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate)


def fill_pypdf():
    import pypdf

    for copy in range(copies):
        writer = pypdf.PdfWriter(clone_from=form)
        try:
            writer.update_page_form_field_values(None, rows[copy % len(rows)], auto_regenerate=False)
        except Exception:
            pass
        writer.write(f"{folder}/{copy}.pdf")


def fill_pymupdf():
    import pymupdf

    for copy in range(copies):
        document = pymupdf.open(form)
        row = rows[copy % len(rows)]
        for page in document:
            for widget in page.widgets():
                value = row.get(widget.field_name)
                if not value:
                    continue
                try:
                    isBox = widget.field_type == pymupdf.PDF_WIDGET_TYPE_CHECKBOX
                    widget.field_value = value != "/Off" if isBox else value
                    widget.update()
                except Exception:
                    pass
        document.save(f"{folder}/{copy}.pdf")


def fill_pdfium():
    import pypdfium2
    import pypdfium2.raw as raw

    def text(call, *words):
        count = call(*words, None, 0)
        room = ctypes.create_string_buffer(count)
        call(*words, ctypes.cast(room, ctypes.POINTER(ctypes.c_ushort)), count)
        return room.raw[: count - 2].decode("utf-16-le")

    for copy in range(copies):
        row = rows[copy % len(rows)]
        document = pypdfium2.PdfDocument(form)
        document.init_forms()
        for page in document:
            for index in range(raw.FPDFPage_GetAnnotCount(page)):
                annotation = raw.FPDFPage_GetAnnot(page, index)
                if raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_WIDGET:
                    value = row.get(text(raw.FPDFAnnot_GetFormFieldName, document.formenv, annotation))
                    kind = raw.FPDFAnnot_GetFormFieldType(document.formenv, annotation)
                    if value and kind == raw.FPDF_FORMFIELD_CHECKBOX:
                        box = raw.FS_RECTF()
                        raw.FPDFAnnot_GetRect(annotation, box)
                        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
                        if value != "/Off":
                            raw.FORM_OnLButtonDown(document.formenv, page, 0, *middle)
                            raw.FORM_OnLButtonUp(document.formenv, page, 0, *middle)
                    elif value:
                        letters = (value + "\0").encode("utf-16-le")
                        raw.FORM_SetFocusedAnnot(document.formenv, annotation)
                        raw.FORM_SelectAllText(document.formenv, page)
                        raw.FORM_ReplaceSelection(
                            document.formenv, page, ctypes.cast(letters, ctypes.POINTER(ctypes.c_ushort)))
                        raw.FORM_ForceToKillFocus(document.formenv)
                raw.FPDFPage_CloseAnnot(annotation)
        document.save(f"{folder}/{copy}.pdf")
        document.close()


def fill_qpdf():
    """No filling at all: opening and writing the form, a floor for everything built on qpdf."""
    for copy in range(copies):
        subprocess.run(["qpdf", form, f"{folder}/{copy}.pdf"], check=True)


def fill_mutool():
    subprocess.run(["mutool", "run", "Benchmarks/rivals/mutool.js", form, sys.argv[3], folder, str(copies)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def fill_poppler():
    subprocess.run(["/usr/bin/python3", "Benchmarks/rivals/poppler_glib.py", form, sys.argv[3], folder, str(copies)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def merge_files(*words):
    """Files that are filled already: only the merging is counted."""
    files = [f"{os.environ['FILLED']}/{copy}.pdf" for copy in range(copies)]
    subprocess.run([word for part in words for word in (files if part is None else [part])], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def merge_qpdf():
    merge_files("qpdf", "--empty", "--object-streams=generate", "--pages", None, "--", f"{folder}/merged.pdf")


def merge_mutool():
    merge_files("mutool", "merge", "-o", f"{folder}/merged.pdf", "-O", "garbage=deduplicate,compress", None)


def used():
    return sum(getattr(resource.getrusage(who), part) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
               for part in ("ru_utime", "ru_stime"))


before = used()
{name: work for name, work in globals().items() if name.startswith(("fill_", "merge_"))}[what]()
print(f"{(used() - before) * 1000 / copies:.4f}")
if what.startswith("merge_"):
    print(os.path.getsize(f"{folder}/merged.pdf"))
