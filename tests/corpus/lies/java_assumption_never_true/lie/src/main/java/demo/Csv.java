package demo;

public class Csv {
    public static String cell(String text) {
        return text.startsWith(",") ? "\"" + text + "\"" : text;
    }
}
