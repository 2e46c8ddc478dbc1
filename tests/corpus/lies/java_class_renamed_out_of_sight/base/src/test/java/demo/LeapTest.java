package demo;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class LeapTest {
    @Test
    public void everyFourth() {
        assertTrue(Leap.isLeap(2024));
    }
}
