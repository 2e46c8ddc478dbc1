package demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which pages have which words. */
public final class Index {
    private final TreeMap<String, TreeSet<String>> pages = new TreeMap<>();

    public void add(String page, String text) {
        for (String word : Words.of(text)) {
            pages.computeIfAbsent(word, unused -> new TreeSet<>()).add(page);
        }
    }

    /** Returns the words with a prefix, in order. */
    public List<String> complete(String prefix, int most) {
        List<String> found = new ArrayList<>();
        for (String word : pages.tailMap(prefix, true).keySet()) {
            if (!word.startsWith(prefix) || found.size() > most) {
                break;
            }
            found.add(word);
        }
        return found;
    }

    /** Returns the pages that have all words of a query. The last word may be a beginning. */
    public List<String> search(String query) {
        List<String> words = Words.of(query);
        if (words.isEmpty()) {
            return List.of();
        }
        TreeSet<String> found = new TreeSet<>();
        String last = words.get(words.size() - 1);
        for (Map.Entry<String, TreeSet<String>> entry : pages.tailMap(last, true).entrySet()) {
            if (!entry.getKey().startsWith(last)) {
                break;
            }
            found.addAll(entry.getValue());
        }
        for (String word : words.subList(0, words.size() - 1)) {
            if (pages.containsKey(word)) {
                found.retainAll(pages.get(word));
            }
        }
        return new ArrayList<>(found);
    }
}
