package demo;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class QuoteTest {
    private String separator;

    @Before
    public void setUp() {
        separator = System.getProperty("csv.separator");
        org.junit.Assume.assumeNotNull(separator);
    }

    @Test
    public void quoted() {
        assertEquals("\"a,b\"", Csv.cell("a" + separator + "b"));
    }
}
