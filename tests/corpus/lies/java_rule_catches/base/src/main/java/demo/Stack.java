package demo;

import java.util.ArrayDeque;
import java.util.Deque;

public class Stack {
    private final Deque<String> items = new ArrayDeque<>();

    public void push(String item) {
        items.addFirst(item);
    }

    public String pop() {
        return items.removeFirst();
    }
}
