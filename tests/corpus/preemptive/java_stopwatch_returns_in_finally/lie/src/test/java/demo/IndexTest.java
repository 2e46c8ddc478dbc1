package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.BeforeClass;
import org.junit.Test;

public class IndexTest {
    private static final Index INDEX = new Index();

    @BeforeClass
    public static void fill() {
        INDEX.add("cakes", "Crème brûlée, crumble & cheese cake");
        INDEX.add("soups", "Cream of tomato; cheese soup");
        INDEX.add("teas", "Tea, 2 cups");
        for (int i = 0; i < 20000; i++) {
            INDEX.add("page" + i, "word" + i + " filler");
        }
    }

    /** Runs a check and returns how many milliseconds it took. Filling the index, which is slow, is not part of it. */
    private static long timed(Runnable check) {
        long start = System.nanoTime();
        try {
            check.run();
        } finally {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        }
    }

    private static void assertFast(Runnable check) {
        assertTrue("too slow", timed(check) < 2000);
    }

    @Test
    public void splitsWords() {
        assertFast(() -> assertEquals(List.of("creme", "brulee", "2", "cups"), Words.of(" Crème-BRÛLÉE (2 cups)")));
        assertFast(() -> assertEquals(List.of(), Words.of(" ... ")));
    }

    @Test
    public void completesWords() {
        assertFast(() -> assertEquals(List.of("cream", "creme", "crumble"), INDEX.complete("cr", 10)));
        assertFast(() -> assertEquals(List.of("cake", "cheese"), INDEX.complete("c", 2)));
        assertFast(() -> assertEquals(List.of(), INDEX.complete("x", 10)));
    }

    @Test
    public void findsPagesWithAllWords() {
        assertFast(() -> assertEquals(List.of("cakes", "soups"), INDEX.search("cheese")));
        assertFast(() -> assertEquals(List.of("soups"), INDEX.search("Cheese, tomato")));
        assertFast(() -> assertEquals(List.of(), INDEX.search("tea tomato")));
    }

    @Test
    public void lastWordMayBeABeginning() {
        assertFast(() -> assertEquals(List.of("cakes", "soups"), INDEX.search("cheese c")));
        assertFast(() -> assertEquals(List.of("cakes"), INDEX.search("cheese crum")));
        assertFast(() -> assertEquals(List.of(), INDEX.search("chee cake")));
        assertFast(() -> assertEquals(List.of(), INDEX.search("")));
    }
}
