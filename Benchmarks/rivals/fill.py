"""Fills a form from a table with another library, as its documentation says, and prints the CPU a document costs.

    fill.py LIBRARY FORM TABLE FOLDER COPIES
"""
import csv
import os
import resource
import subprocess
import sys

library, form, table, folder, copies = *sys.argv[1:5], int(sys.argv[5])
os.makedirs(folder, exist_ok=True)
with open(table, encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))


def pikepdf_fill():
    import pikepdf
    from pikepdf.form import DefaultAppearanceStreamGenerator, Form

    for copy in range(copies):
        with pikepdf.open(form) as pdf:
            fields = Form(pdf, DefaultAppearanceStreamGenerator)
            for name, value in rows[copy % len(rows)].items():
                try:
                    field = fields[name]
                    if field.is_text:
                        field.value = value
                    elif field.is_checkbox:
                        field.checked = value not in ("", "no", "/Off")
                    elif field.is_choice or field.is_radio_button:
                        field.value = value
                except Exception:
                    # What it cannot do is left out: its time counts, its mistakes do not.
                    pass
            pdf.save(f"{folder}/{copy}.pdf")


def pypdf_fill():
    import pypdf

    for copy in range(copies):
        writer = pypdf.PdfWriter(clone_from=form)
        try:
            writer.update_page_form_field_values(None, rows[copy % len(rows)], auto_regenerate=False)
        except Exception:
            pass
        writer.write(f"{folder}/{copy}.pdf")


def pymupdf_fill():
    import pymupdf

    for copy in range(copies):
        document = pymupdf.open(form)
        row = rows[copy % len(rows)]
        for page in document:
            for widget in page.widgets():
                value = row.get(widget.field_name)
                if value is None:
                    continue
                try:
                    widget.field_value = value if widget.field_type != pymupdf.PDF_WIDGET_TYPE_CHECKBOX else value not in ("", "no", "/Off")
                    widget.update()
                except Exception:
                    pass
        document.save(f"{folder}/{copy}.pdf")


def qpdf_fill():
    """No filling at all: only opening and writing the form, as a floor for everything built on qpdf."""
    for copy in range(copies):
        subprocess.run(["qpdf", form, f"{folder}/{copy}.pdf"], check=True)


def used(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


before = used(resource.RUSAGE_SELF) + used(resource.RUSAGE_CHILDREN)
{"pikepdf": pikepdf_fill, "pypdf": pypdf_fill, "pymupdf": pymupdf_fill, "qpdf": qpdf_fill}[library]()
print(f"{(used(resource.RUSAGE_SELF) + used(resource.RUSAGE_CHILDREN) - before) * 1000 / copies:.4f}")
