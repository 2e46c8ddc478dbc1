package org.example.links;

/** Short texts for numbers. */
public final class Tokens {
    private static final String ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

    private Tokens() {}

    public static String encode(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("negative: " + number);
        }
        StringBuilder token = new StringBuilder();
        do {
            token.insert(0, ALPHABET.charAt((int) (number % ALPHABET.length())));
            number /= ALPHABET.length();
        } while (number > 0);
        return token.toString();
    }
}
