package demo;

import static org.junit.Assert.assertFalse;

import org.junit.Test;

public class CenturyTest {
    @Test
    public void century() {
        assertFalse(Leap.isLeap(1900));
    }
}
