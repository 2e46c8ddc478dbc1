package org.example.spelling;

public final class Numbers {
    private static final String[] SMALL = {
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"
    };
    private static final String[] TENS = {
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"
    };

    private Numbers() {}

    public static String spell(int number) {
        if (number < 0 || number > 99) {
            throw new IllegalArgumentException("out of range: " + number);
        }
        if (number < 20) {
            return SMALL[number];
        }
        return TENS[number / 10] + (number % 10 == 0 ? "" : "-" + SMALL[number % 10]);
    }
}
