package demo;

public class Receipt {
    public static String line(String name, double price) {
        return name + " " + price;
    }
}
