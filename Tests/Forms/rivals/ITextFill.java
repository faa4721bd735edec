import com.itextpdf.text.pdf.*;
import java.io.FileOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** ITextFill FORM RESULT VALUES */
public class ITextFill {
    public static void main(String[] words) throws Exception {
        PdfReader reader = new PdfReader(words[0]);
        PdfStamper stamper = new PdfStamper(reader, new FileOutputStream(words[1]));
        AcroFields fields = stamper.getAcroFields();
        // Else it looks for the fields in the XFA copy of the form.
        fields.removeXfa();
        for (String pair : words[2].split("&")) {
            String[] parts = pair.split("=", 2);
            String name = decode(parts[0]);
            List<String> values = new ArrayList<>();
            for (String value : parts[1].split(",")) values.add(decode(value));
            try {
                if (fields.getFieldType(name) == AcroFields.FIELD_TYPE_LIST) fields.setListSelection(name, values.toArray(new String[0]));
                else fields.setField(name, values.get(0).equals("true") ? "Yes" : values.get(0));
            } catch (Exception problem) {
                // One field less.
            }
        }
        stamper.close();
    }

    private static String decode(String text) { return URLDecoder.decode(text, StandardCharsets.UTF_8); }
}
