"""Prints the fields of a file with their values, as poppler's library reads them."""
import json
import sys

import gi

gi.require_version("Poppler", "0.18")
from gi.repository import Gio, Poppler  # noqa: E402


def value(field):
    kind = field.get_field_type()
    if kind == Poppler.FormFieldType.TEXT:
        return field.text_get_text()
    if kind == Poppler.FormFieldType.BUTTON:
        return bool(field.button_get_state())
    if kind == Poppler.FormFieldType.CHOICE:
        count = field.choice_get_n_items()
        chosen = [field.choice_get_item(i) for i in range(count) if field.choice_is_item_selected(i)]
        return chosen or field.choice_get_text()
    return None


document = Poppler.Document.new_from_gfile(Gio.File.new_for_path(sys.argv[1]), None, None)
json.dump([(m.field.get_name(), value(m.field)) for number in range(document.get_n_pages())
           for m in document.get_page(number).get_form_field_mapping()], sys.stdout)
