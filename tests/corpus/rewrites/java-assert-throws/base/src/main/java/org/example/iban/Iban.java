package org.example.iban;

import java.math.BigInteger;

/** An international bank account number. */
public final class Iban {
    private final String text;

    private Iban(String text) {
        this.text = text;
    }

    public static Iban parse(String text) {
        if (text == null) {
            throw new NullPointerException("text");
        }
        String compact = text.replace(" ", "").toUpperCase();
        if (!compact.matches("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")) {
            throw new IllegalArgumentException("malformed: " + text);
        }
        StringBuilder digits = new StringBuilder();
        for (char c : (compact.substring(4) + compact.substring(0, 4)).toCharArray()) {
            digits.append(Character.getNumericValue(c));
        }
        if (new BigInteger(digits.toString()).mod(BigInteger.valueOf(97)).intValue() != 1) {
            throw new IllegalArgumentException("wrong check digits: " + text);
        }
        return new Iban(compact);
    }

    public String country() {
        return text.substring(0, 2);
    }

    @Override
    public String toString() {
        return text.replaceAll("(.{4})(?!$)", "$1 ");
    }
}
