package demo;

public class Csv {
    public static String cell(String text) {
        return text.indexOf(',') < 0 ? text : "\"" + text + "\"";
    }
}
