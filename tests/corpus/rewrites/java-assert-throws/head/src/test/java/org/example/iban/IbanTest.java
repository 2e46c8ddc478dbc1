package org.example.iban;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class IbanTest {
    @Test
    public void parses() {
        Iban iban = Iban.parse("de89370400440532013000");
        assertEquals("DE", iban.country());
        assertEquals("DE89 3704 0044 0532 0130 00", iban.toString());
    }

    @Test
    public void refusesWhatIsMalformed() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Iban.parse("DE89"));
        assertEquals("malformed: DE89", e.getMessage());
    }

    @Test
    public void refusesWrongCheckDigits() {
        String wrong = "DE88370400440532013000";
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Iban.parse(wrong));
        assertEquals("wrong check digits: " + wrong, e.getMessage());
    }

    @Test
    public void refusesNull() {
        NullPointerException e = assertThrows(NullPointerException.class, () -> Iban.parse(null));
        assertEquals("text", e.getMessage());
    }
}
