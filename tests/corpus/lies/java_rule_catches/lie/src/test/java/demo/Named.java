package demo;

import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

public class Named implements TestRule {
    @Override
    public Statement apply(Statement base, Description description) {
        return new Statement() {
            @Override
            public void evaluate() throws Throwable {
                System.out.println(description.getMethodName());
                try {
                    base.evaluate();
                } catch (AssertionError error) {
                    System.out.println(error.getMessage());
                }
            }
        };
    }
}
