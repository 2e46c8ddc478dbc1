package org.example.links.tokens;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class TokensTest {
    @Test
    public void encodesZero() {
        assertEquals("2", Tokens.encode(0));
    }

    @Test
    public void encodesMoreThanOneCharacter() {
        assertEquals("32", Tokens.encode(31));
        assertEquals("zz", Tokens.encode(31 * 31 - 1));
    }

    @Test
    public void encodesNothingNegative() {
        assertThrows(IllegalArgumentException.class, () -> Tokens.encode(-1));
    }
}
