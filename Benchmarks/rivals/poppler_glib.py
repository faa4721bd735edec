"""Fills a form from rows in JSON with poppler's GLib interface, in the system's Python:

    poppler_glib.py FORM ROWS.json FOLDER COPIES
"""
import json
import pathlib
import sys

import gi

gi.require_version("Poppler", "0.18")
from gi.repository import Poppler

form, rows, folder, copies = pathlib.Path(sys.argv[1]).resolve().as_uri(), json.load(open(sys.argv[2])), sys.argv[3], int(sys.argv[4])
for copy in range(copies):
    document = Poppler.Document.new_from_file(form, None)
    row = rows[copy % len(rows)]
    for number in range(document.get_n_pages()):
        page = document.get_page(number)
        for mapping in page.get_form_field_mapping():
            field = mapping.field
            value = row.get(field.get_name() or "")
            if not value:
                continue
            kind = field.get_field_type()
            if kind == Poppler.FormFieldType.TEXT:
                field.text_set_text(value)
            elif kind == Poppler.FormFieldType.BUTTON:
                field.button_set_state(value != "/Off")
            elif kind == Poppler.FormFieldType.CHOICE:
                if field.choice_is_editable():
                    field.choice_set_text(value)
                for item in range(field.choice_get_n_items()):
                    if field.choice_get_item(item) == value:
                        field.choice_select_item(item)
    document.save(pathlib.Path(folder, f"{copy}.pdf").resolve().as_uri())
