package demo;

public class Leap {
    public static boolean isLeap(int year) {
        return java.time.Year.isLeap(year);
    }
}
