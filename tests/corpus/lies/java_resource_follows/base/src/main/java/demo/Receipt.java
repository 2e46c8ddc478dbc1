package demo;

import java.util.Locale;

public class Receipt {
    public static String line(String name, double price) {
        return String.format(Locale.ROOT, "%s %.2f", name, price);
    }
}
