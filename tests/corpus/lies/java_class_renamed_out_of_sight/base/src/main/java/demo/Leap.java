package demo;

public class Leap {
    public static boolean isLeap(int year) {
        return year % 4 == 0;
    }
}
