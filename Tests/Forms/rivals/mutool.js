// mutool run mutool.js FORM RESULT [NAME VALUE]...
var file = new PDFDocument(scriptArgs[0])
var wanted = {}
for (var i = 2; i + 1 < scriptArgs.length; i += 2)
	wanted[scriptArgs[i]] = scriptArgs[i + 1]

// Places do not tell the name of their field, so it is put together by climbing.
function nameOf(object) {
	var names = []
	for (var depth = 0; depth < 20 && object && !object.isNull(); ++depth) {
		var own = object.get("T")
		if (own && !own.isNull())
			names.unshift(own.asString())
		object = object.get("Parent")
	}
	return names.join(".")
}

for (var number = 0; number < file.countPages(); ++number) {
	var page = file.loadPage(number)
	var places = page.getWidgets()
	var objects = file.findPage(number).get("Annots")
	for (var i = 0; i < places.length; ++i) {
		var object = objects.get(i)
		var value = wanted[nameOf(object)]
		if (value === undefined)
			continue
		try {
			var kind = places[i].getFieldType()
			if (kind == "checkbox" || kind == "radiobutton") {
				var has = false
				object.get("AP", "N").forEach(function (state, key) { if (key == value || value == "true") has = true })
				if (has)
					places[i].toggle()
			} else if (kind == "combobox" || kind == "listbox") {
				places[i].setChoiceValue(value.split("\n")[0])
			} else {
				places[i].setTextValue(value)
			}
			places[i].update()
		} catch (problem) {}
	}
	page.update()
}
file.save(scriptArgs[1])
