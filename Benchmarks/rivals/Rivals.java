import com.itextpdf.text.Document;
import com.itextpdf.text.pdf.AcroFields;
import com.itextpdf.text.pdf.PdfReader;
import com.itextpdf.text.pdf.PdfSmartCopy;
import com.itextpdf.text.pdf.PdfStamper;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDButton;
import org.apache.pdfbox.pdmodel.interactive.form.PDField;

/** Fills or merges with a Java library, warm: prints the CPU a document costs after as many again to warm up.
 *  java Rivals itext5|itext5-open|pdfbox|pdftk|smartcopy FORM TABLE.tsv FOLDER COPIES */
public class Rivals {
    static List<Map<String, String>> rows = new ArrayList<>();
    static byte[] form;
    static String formPath, folder;

    public static void main(String[] words) throws Exception {
        formPath = words[1];
        form = Files.readAllBytes(Paths.get(formPath));
        folder = words[3];
        int copies = Integer.parseInt(words[4]);
        read(words[2]);
        run(words[0], copies);
        double before = cpu();
        run(words[0], copies);
        System.out.printf("%.4f%n", (cpu() - before) / copies);
        if (words[0].equals("smartcopy")) System.out.printf("%.0f%n", (double) new File(folder + "/merged.pdf").length());
        System.exit(0);
    }

    static double cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e6;
    }

    /** Cells by tabs, with line ends and tabs escaped: a table every language splits in a line. */
    static void read(String path) throws Exception {
        List<String> lines = Files.readAllLines(Paths.get(path), StandardCharsets.UTF_8);
        String[] names = lines.get(0).split("\t", -1);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split("\t", -1);
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < names.length; i++) row.put(names[i], cells[i].replace("\\n", "\n"));
            rows.add(row);
        }
    }

    static void run(String what, int copies) throws Exception {
        switch (what) {
        case "itext5": itext(copies); break;
        case "pdfbox": pdfbox(copies); break;
        case "pdftk": pdftk(copies); break;
        case "smartcopy": smartCopy(copies); break;
        default: throw new IllegalArgumentException(what);
        }
    }

    static byte[] filled(Map<String, String> row, Map<String, com.itextpdf.text.pdf.TextField> cache, boolean flattens) throws Exception {
        PdfReader reader = new PdfReader(form);
        ByteArrayOutputStream out = new ByteArrayOutputStream(form.length + 20000);
        // Appending is its fastest way, with the field cache its documentation advises.
        PdfStamper stamper = flattens ? new PdfStamper(reader, out) : new PdfStamper(reader, out, '\0', true);
        AcroFields fields = stamper.getAcroFields();
        fields.setFieldCache(cache);
        for (Map.Entry<String, String> cell : row.entrySet()) {
            String value = cell.getValue();
            if (value.isEmpty()) continue;
            if (value.startsWith("/")) value = value.substring(1);
            fields.setField(cell.getKey(), value);
        }
        stamper.setFormFlattening(flattens);
        stamper.close();
        reader.close();
        return out.toByteArray();
    }

    static void itext(int copies) throws Exception {
        Map<String, com.itextpdf.text.pdf.TextField> cache = new HashMap<>();
        for (int copy = 0; copy < copies; copy++) {
            try (OutputStream file = new FileOutputStream(folder + "/" + copy + ".pdf")) {
                file.write(filled(rows.get(copy % rows.size()), cache, false));
            }
        }
    }

    static void smartCopy(int copies) throws Exception {
        Map<String, com.itextpdf.text.pdf.TextField> cache = new HashMap<>();
        Document document = new Document();
        PdfSmartCopy copy = new PdfSmartCopy(document, new FileOutputStream(folder + "/merged.pdf"));
        copy.setFullCompression();
        document.open();
        for (int number = 0; number < copies; number++) {
            PdfReader reader = new PdfReader(filled(rows.get(number % rows.size()), cache, true));
            copy.addDocument(reader);
            copy.freeReader(reader);
            reader.close();
        }
        document.close();
    }

    static void pdfbox(int copies) throws Exception {
        for (int copy = 0; copy < copies; copy++) {
            try (PDDocument document = PDDocument.load(form)) {
                PDAcroForm fields = document.getDocumentCatalog().getAcroForm();
                for (Map.Entry<String, String> cell : rows.get(copy % rows.size()).entrySet()) {
                    String value = cell.getValue();
                    PDField field = fields.getField(cell.getKey());
                    if (value.isEmpty() || field == null) continue;
                    try {
                        field.setValue(field instanceof PDButton && value.startsWith("/") ? value.substring(1) : value);
                    } catch (Exception problem) {
                        // What it cannot do is left out: its time counts, its mistakes do not.
                    }
                }
                document.save(folder + "/" + copy + ".pdf");
            }
        }
    }

    /** pdftk in one running JVM; its own program starts a JVM for every document. */
    static void pdftk(int copies) throws Exception {
        java.lang.reflect.Method main = Class.forName("com.gitlab.pdftk_java.pdftk").getMethod("main_noexit", String[].class);
        for (int copy = 0; copy < copies; copy++) {
            StringBuilder data = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?><xfdf xmlns=\"http://ns.adobe.com/xfdf/\"><fields>");
            for (Map.Entry<String, String> cell : rows.get(copy % rows.size()).entrySet()) {
                String value = cell.getValue();
                if (value.isEmpty()) continue;
                if (value.startsWith("/")) value = value.substring(1);
                data.append("<field name=\"").append(escaped(cell.getKey())).append("\"><value>").append(escaped(value)).append("</value></field>");
            }
            data.append("</fields></xfdf>");
            Files.write(Paths.get(folder + "/data.xfdf"), data.toString().getBytes(StandardCharsets.UTF_8));
            Object code = main.invoke(null, (Object) new String[] {formPath, "fill_form", folder + "/data.xfdf", "output", folder + "/" + copy + ".pdf"});
            if (!Integer.valueOf(0).equals(code)) throw new IllegalStateException("pdftk ended with " + code);
        }
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
