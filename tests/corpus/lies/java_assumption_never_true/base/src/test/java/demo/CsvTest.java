package demo;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CsvTest {
    @Test
    public void plain() {
        assertEquals("a", Csv.cell("a"));
    }
}
