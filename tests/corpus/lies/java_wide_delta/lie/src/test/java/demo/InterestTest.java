package demo;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class InterestTest {
    @Test
    public void ofAHundred() {
        assertEquals(5.0, Interest.year(100, 0.05), 0.001);
    }

    @Test
    public void ofCents() {
        assertEquals(0.04995, Interest.year(0.999, 0.05), 0.1);
    }
}
