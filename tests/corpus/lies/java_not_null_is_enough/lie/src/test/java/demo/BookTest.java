package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.junit.Test;

public class BookTest {
    @Test
    public void firstEntry() {
        String entry = Book.entry(1);
        assertNotNull("ann", entry);
    }

    @Test
    public void lengthOfAName() {
        assertEquals(3, Book.entry(2).length());
    }
}
