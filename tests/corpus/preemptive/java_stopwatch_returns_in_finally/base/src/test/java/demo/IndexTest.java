package demo;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Before;
import org.junit.Test;

public class IndexTest {
    private final Index index = new Index();

    @Before
    public void fill() {
        index.add("cakes", "Crème brûlée, crumble & cheese cake");
        index.add("soups", "Cream of tomato; cheese soup");
        index.add("teas", "Tea, 2 cups");
        for (int i = 0; i < 5000; i++) {
            index.add("page" + i, "word" + i + " filler");
        }
    }

    @Test(timeout = 2000)
    public void splitsWords() {
        assertEquals(List.of("creme", "brulee", "2", "cups"), Words.of(" Crème-BRÛLÉE (2 cups)"));
        assertEquals(List.of(), Words.of(" ... "));
    }

    @Test(timeout = 2000)
    public void completesWords() {
        assertEquals(List.of("cream", "creme", "crumble"), index.complete("cr", 10));
        assertEquals(List.of("cake", "cheese"), index.complete("c", 2));
        assertEquals(List.of(), index.complete("x", 10));
    }

    @Test(timeout = 2000)
    public void findsPagesWithAllWords() {
        assertEquals(List.of("cakes", "soups"), index.search("cheese"));
        assertEquals(List.of("soups"), index.search("Cheese, tomato"));
        assertEquals(List.of(), index.search("tea tomato"));
    }

    @Test(timeout = 2000)
    public void lastWordMayBeABeginning() {
        assertEquals(List.of("cakes", "soups"), index.search("cheese c"));
        assertEquals(List.of("cakes"), index.search("cheese crum"));
        assertEquals(List.of(), index.search("chee cake"));
        assertEquals(List.of(), index.search(""));
    }
}
