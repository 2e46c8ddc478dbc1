package org.example.spelling;

import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class NumbersTest {
    @Test
    public void negative() {
        assertThrows(IllegalArgumentException.class, () -> Numbers.spell(-1));
    }

    @Test
    public void tooLarge() {
        assertThrows(IllegalArgumentException.class, () -> Numbers.spell(1000));
    }
}
