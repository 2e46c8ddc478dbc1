package demo;

public class Port {
    public static int parse(String text) {
        if (text == null) {
            throw new NumberFormatException("no port");
        }
        return Integer.parseInt(text.trim());
    }
}
