package org.example.ledger;

import java.io.File;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import junit.framework.TestCase;

public class LedgerTest extends TestCase {
    private File file;

    @Override
    protected void setUp() throws IOException {
        file = File.createTempFile("ledger", ".txt");
    }

    @Override
    protected void tearDown() {
        file.delete();
    }

    private Ledger read(String text) throws IOException {
        try (FileWriter writer = new FileWriter(file)) {
            writer.write(text);
        }
        return Ledger.read(new FileReader(file));
    }

    public void testSums() throws IOException {
        Ledger ledger = read("cash 100\nbank -250\ncash 5\n");
        assertEquals(105, ledger.sum("cash"));
        assertEquals(-250, ledger.sum("bank"));
        assertEquals(0, ledger.sum("other"));
        assertEquals(-145, ledger.total());
    }

    public void testNothing() throws IOException {
        assertEquals(0, read("").total());
    }

    public void testMalformed() {
        try {
            read("cash 100\ncash ten\n");
            fail();
        } catch (IOException e) {
            assertEquals("line 2: cash ten", e.getMessage());
        }
    }
}
