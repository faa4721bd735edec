// Fills a form from rows in JSON with MuPDF:  mutool run mutool.js FORM ROWS.json FOLDER COPIES
var form = scriptArgs[0]
var rows = JSON.parse(read(scriptArgs[1]))
var folder = scriptArgs[2]
var copies = parseInt(scriptArgs[3])

function named(object) {
	var name = ""
	for (var node = object; node && !node.isNull(); node = node.get("Parent")) {
		var part = node.get("T")
		if (part && part.isString()) name = name ? part.asString() + "." + name : part.asString()
	}
	return name
}

for (var copy = 0; copy < copies; copy++) {
	var document = new PDFDocument(form)
	var row = rows[copy % rows.length]
	for (var number = 0; number < document.countPages(); number++) {
		var page = document.loadPage(number)
		var annotations = document.findPage(number).get("Annots")
		var names = []
		if (annotations && annotations.isArray())
			for (var i = 0; i < annotations.length; i++)
				if (annotations.get(i).get("Subtype").asName() === "Widget") names.push(named(annotations.get(i)))
		var widgets = page.getWidgets()
		for (var i = 0; i < widgets.length; i++) {
			var value = row[names[i]]
			if (value === undefined || value === "") continue
			try {
				var kind = widgets[i].getFieldType()
				if (kind === "text") widgets[i].setTextValue(value)
				else if (kind === "combobox" || kind === "listbox") widgets[i].setChoiceValue(value)
				else if ((kind === "checkbox" || kind === "radiobutton") && value !== "/Off") widgets[i].toggle()
				widgets[i].update()
			} catch (error) {
				// What it cannot do is left out: its time counts, its mistakes do not.
			}
		}
	}
	document.save(folder + "/" + copy + ".pdf", "")
}
