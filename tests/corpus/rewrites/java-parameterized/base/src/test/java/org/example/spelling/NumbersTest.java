package org.example.spelling;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class NumbersTest {
    @Test
    public void zero() {
        assertEquals("zero", Numbers.spell(0));
    }

    @Test
    public void thirteen() {
        assertEquals("thirteen", Numbers.spell(13));
    }

    @Test
    public void forty() {
        assertEquals("forty", Numbers.spell(40));
    }

    @Test
    public void ninetyNine() {
        assertEquals("ninety-nine", Numbers.spell(99));
    }

    @Test(expected = IllegalArgumentException.class)
    public void negative() {
        Numbers.spell(-1);
    }
}
