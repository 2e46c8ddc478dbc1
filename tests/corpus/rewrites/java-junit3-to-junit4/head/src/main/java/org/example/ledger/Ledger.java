package org.example.ledger;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Map;
import java.util.TreeMap;

/** Sums of accounts, read from lines of an account and an amount in cents. */
public final class Ledger {
    private final Map<String, Long> sums = new TreeMap<>();

    public static Ledger read(Reader source) throws IOException {
        Ledger ledger = new Ledger();
        try (BufferedReader reader = new BufferedReader(source)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                String[] parts = line.trim().split("\\s+");
                if (parts.length != 2 || !parts[1].matches("-?[0-9]+")) {
                    throw new IOException("line " + number + ": " + line);
                }
                ledger.sums.merge(parts[0], Long.valueOf(parts[1]), Long::sum);
            }
        }
        return ledger;
    }

    public long sum(String account) {
        return sums.getOrDefault(account, 0L);
    }

    public long total() {
        return sums.values().stream().mapToLong(Long::longValue).sum();
    }
}
