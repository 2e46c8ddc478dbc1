package demo;

public class Sign {
    public static String of(int number) {
        return number < 0 ? "-" : number > 0 ? "+" : "0";
    }
}
