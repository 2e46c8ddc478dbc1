package org.example.links;

import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;

/** Gives links short names. */
public final class Shortener {
    private final Map<String, String> links = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();

    public String shorten(String link) {
        return names.computeIfAbsent(link, given -> {
            String name = Tokens.encode(links.size());
            links.put(name, given);
            return name;
        });
    }

    public String resolve(String name) {
        String link = links.get(name);
        if (link == null) {
            throw new NoSuchElementException(name);
        }
        return link;
    }
}
