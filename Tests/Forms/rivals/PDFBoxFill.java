import java.io.File;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.form.*;

/** PDFBoxFill FORM RESULT VALUES */
public class PDFBoxFill {
    public static void main(String[] words) throws Exception {
        try (PDDocument document = PDDocument.load(new File(words[0]))) {
            PDAcroForm form = document.getDocumentCatalog().getAcroForm();
            for (String pair : words[2].split("&")) {
                String[] parts = pair.split("=", 2);
                String name = decode(parts[0]);
                List<String> values = new ArrayList<>();
                for (String value : parts[1].split(",")) values.add(decode(value));
                try {
                    PDField field = form.getField(name);
                    if (field instanceof PDCheckBox && values.get(0).equals("true")) ((PDCheckBox) field).check();
                    else if (field instanceof PDListBox) ((PDListBox) field).setValue(values);
                    else field.setValue(values.get(0));
                } catch (Exception problem) {
                    // One field less.
                }
            }
            document.save(words[1]);
        }
    }

    private static String decode(String text) { return URLDecoder.decode(text, StandardCharsets.UTF_8); }
}
