package demo;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PortTest {
    @Test
    public void number() {
        assertEquals(80, Port.parse(" 80"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void nothing() {
        Port.parse(null);
    }
}
