package org.example.links.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.NoSuchElementException;
import org.junit.Test;

public class ShortenerTest {
    private final Shortener shortener = new Shortener();

    @Test
    public void namesAreGivenInOrder() {
        assertEquals("2", shortener.shorten("https://example.org/a"));
        assertEquals("3", shortener.shorten("https://example.org/b"));
    }

    @Test
    public void sameLinkSameName() {
        String name = shortener.shorten("https://example.org/a");
        assertEquals(name, shortener.shorten("https://example.org/a"));
    }

    @Test
    public void resolves() {
        String name = shortener.shorten("https://example.org/a");
        assertEquals("https://example.org/a", shortener.resolve(name));
        assertThrows(NoSuchElementException.class, () -> shortener.resolve("none"));
    }
}
