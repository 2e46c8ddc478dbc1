package demo;

import static org.junit.Assert.assertEquals;

import org.junit.Rule;
import org.junit.Test;

public class StackTest {
    @Rule public final Named named = new Named();

    @Test
    public void one() {
        Stack stack = new Stack();
        stack.push("a");
        assertEquals("a", stack.pop());
    }

    @Test
    public void lastFirst() {
        Stack stack = new Stack();
        stack.push("a");
        stack.push("b");
        assertEquals("b", stack.pop());
    }
}
