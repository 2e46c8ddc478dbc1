package demo;

public class Port {
    public static int parse(String text) {
        return Integer.parseInt(text.trim());
    }
}
