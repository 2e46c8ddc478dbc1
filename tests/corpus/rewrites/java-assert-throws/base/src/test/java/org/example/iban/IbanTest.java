package org.example.iban;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

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
        try {
            Iban.parse("DE89");
            fail("no exception");
        } catch (IllegalArgumentException e) {
            assertEquals("malformed: DE89", e.getMessage());
        }
    }

    @Test
    public void refusesWrongCheckDigits() {
        try {
            Iban.parse("DE88370400440532013000");
            fail("no exception");
        } catch (IllegalArgumentException e) {
            assertEquals("wrong check digits: DE88370400440532013000", e.getMessage());
        }
    }

    @Test(expected = NullPointerException.class)
    public void refusesNull() {
        Iban.parse(null);
    }
}
