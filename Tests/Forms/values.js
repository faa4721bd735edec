// Prints every place of a field as MuPDF sees it: page, rectangle, kind and value.
var file = new PDFDocument(scriptArgs[0])
for (var number = 0; number < file.countPages(); ++number) {
	var places = file.loadPage(number).getWidgets()
	for (var i = 0; i < places.length; ++i)
		print(number + "\t" + places[i].getRect() + "\t" + places[i].getFieldType() + "\t" + JSON.stringify(places[i].getValue()))
}
