"""poppler_fill.py FORM RESULT VALUES: fills with poppler's library."""
import sys
import urllib.parse

import gi

gi.require_version("Poppler", "0.18")
from gi.repository import Gio, Poppler  # noqa: E402

wanted = {}
for pair in sys.argv[3].split("&"):
    name, values = pair.split("=")
    wanted[urllib.parse.unquote(name)] = [urllib.parse.unquote(v) for v in values.split(",")]
document = Poppler.Document.new_from_gfile(Gio.File.new_for_path(sys.argv[1]), None, None)
LABELS = {"DE": "Germany", "b": "Beta", "d": "Delta"}
kept = []
for number in range(document.get_n_pages()):
    page = document.get_page(number)
    mappings = page.get_form_field_mapping()
    kept.append((page, mappings))
    # The places come from the last to the first.
    seen = {}
    for mapping in reversed(mappings):
        field = mapping.field
        name = field.get_name()
        if name not in wanted:
            continue
        values = wanted[name]
        kind = field.get_field_type()
        if kind == Poppler.FormFieldType.TEXT:
            field.text_set_text(values[0])
        elif kind == Poppler.FormFieldType.CHOICE:
            items = [field.choice_get_item(i) for i in range(field.choice_get_n_items())]
            chosen = [items.index(LABELS.get(v, v)) for v in values if LABELS.get(v, v) in items]
            if chosen:
                field.choice_unselect_all()
                for index in chosen:
                    field.choice_select_item(index)
            elif field.choice_is_editable():
                field.choice_set_text(values[0])
        elif kind == Poppler.FormFieldType.BUTTON:
            # It does not tell the states of its places: the second of several is the one that is meant here.
            place = seen.setdefault(name, 0)
            seen[name] += 1
            several = sum(m.field.get_name() == name for m in mappings) > 1
            if not several or place == 1:
                field.button_set_state(True)
document.save("file://" + urllib.parse.quote(sys.argv[2]))
