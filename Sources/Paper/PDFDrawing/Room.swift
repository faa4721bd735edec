// PDFDrawing
