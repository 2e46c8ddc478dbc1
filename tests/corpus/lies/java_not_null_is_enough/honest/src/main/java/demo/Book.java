package demo;

import java.util.Arrays;
import java.util.List;

public class Book {
    private static final List<String> NAMES = Arrays.asList("ann", "bob");

    public static String entry(int number) {
        return NAMES.get(number - 1);
    }
}
