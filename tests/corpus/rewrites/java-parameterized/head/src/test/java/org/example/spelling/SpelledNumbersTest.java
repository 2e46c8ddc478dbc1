package org.example.spelling;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class SpelledNumbersTest {
    @Parameter(0)
    public int number;

    @Parameter(1)
    public String text;

    @Parameters(name = "{0}")
    public static Collection<Object[]> numbers() {
        return Arrays.asList(new Object[][] {
            {0, "zero"},
            {13, "thirteen"},
            {40, "forty"},
            {99, "ninety-nine"},
            {100, "one hundred"},
            {305, "three hundred and five"},
            {999, "nine hundred and ninety-nine"},
        });
    }

    @Test
    public void spells() {
        assertEquals(text, Numbers.spell(number));
    }
}
