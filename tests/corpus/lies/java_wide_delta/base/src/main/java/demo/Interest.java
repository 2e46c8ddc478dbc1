package demo;

public class Interest {
    public static double year(double amount, double rate) {
        return amount * rate;
    }
}
