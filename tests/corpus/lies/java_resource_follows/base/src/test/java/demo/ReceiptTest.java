package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Scanner;
import org.junit.Test;

public class ReceiptTest {
    @Test
    public void line() {
        Scanner expected = new Scanner(ReceiptTest.class.getResourceAsStream("/receipt.txt"), "UTF-8");
        assertEquals(expected.nextLine(), Receipt.line("pen", 1.5));
    }

    @Test
    public void beginsWithTheName() {
        assertTrue(Receipt.line("book", 2).startsWith("book "));
    }
}
