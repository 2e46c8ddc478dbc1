package demo;

import static org.junit.Assert.assertFalse;

import org.junit.Test;

public class CenturySpecification {
    @Test
    public void century() {
        assertFalse(Leap.isLeap(1900));
    }
}
