package org.example.ledger;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LedgerTest {
    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    private Ledger read(String text) throws IOException {
        Path file = folder.newFile().toPath();
        return Ledger.read(Files.newBufferedReader(Files.writeString(file, text)));
    }

    @Test
    public void sums() throws IOException {
        Ledger ledger = read("cash 100\nbank -250\ncash 5\n");
        assertEquals(105, ledger.sum("cash"));
        assertEquals(-250, ledger.sum("bank"));
        assertEquals(0, ledger.sum("other"));
        assertEquals(-145, ledger.total());
    }

    @Test
    public void nothing() throws IOException {
        assertEquals(0, read("").total());
    }

    @Test
    public void malformed() {
        IOException e = assertThrows(IOException.class, () -> read("cash 100\ncash ten\n"));
        assertEquals("line 2: cash ten", e.getMessage());
    }

    @Test
    public void closesAfterAnError() {
        boolean[] closed = {false};
        StringReader source = new StringReader("malformed") {
            @Override
            public void close() {
                closed[0] = true;
                super.close();
            }
        };
        assertThrows(IOException.class, () -> Ledger.read(source));
        assertTrue(closed[0]);
    }
}
