package org.example.links;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.NoSuchElementException;
import org.junit.Before;
import org.junit.Test;

public class LinksTest {
    private Shortener shortener;

    @Before
    public void setUp() {
        shortener = new Shortener();
    }

    @Test
    public void encodesZero() {
        assertEquals("2", Tokens.encode(0));
    }

    @Test
    public void encodesMoreThanOneCharacter() {
        assertEquals("32", Tokens.encode(31));
        assertEquals("zz", Tokens.encode(31 * 31 - 1));
    }

    @Test
    public void encodesNothingNegative() {
        assertThrows(IllegalArgumentException.class, () -> Tokens.encode(-1));
    }

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
