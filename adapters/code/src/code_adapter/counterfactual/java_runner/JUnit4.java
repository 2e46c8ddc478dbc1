import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.RunWith;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs classes of tests with JUnit 4. Arguments: the report, the folder for classes, lists of sources and classes. */
final class JUnit4 {
    private JUnit4() {}

    public static void main(String[] arguments) throws Exception {
        Path report = Path.of(arguments[0]);
        Sources.compile(Path.of(arguments[2]), arguments[1]);
        JUnitCore core = new JUnitCore();
        Outcomes outcomes = new Outcomes();
        core.addListener(outcomes);
        for (String name : Files.readAllLines(Path.of(arguments[3]), StandardCharsets.UTF_8)) {
            Class<?> type = Class.forName(name, false, ClassLoader.getSystemClassLoader());
            if (holdsTests(type)) {
                core.run(type);
            }
        }
        Sources.end(report, outcomes.lines());
    }

    private static boolean holdsTests(Class<?> type) {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        if (junit.framework.TestCase.class.isAssignableFrom(type) || type.isAnnotationPresent(RunWith.class)) {
            return true;
        }
        for (Method method : type.getMethods()) {
            if (method.isAnnotationPresent(Test.class)) {
                return true;
            }
        }
        return false;
    }

    private static final class Outcomes extends RunListener {
        private final Map<String, String> found = new HashMap<>();

        List<String> lines() {
            List<String> lines = new ArrayList<>();
            found.forEach((test, outcome) -> lines.add(outcome + "\t" + test));
            return lines;
        }

        @Override
        public void testStarted(Description test) {
            found.put(name(test), "passed");
        }

        @Override
        public void testFailure(Failure failure) {
            found.put(name(failure.getDescription()), "failed");
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            found.put(name(failure.getDescription()), "skipped");
        }

        @Override
        public void testIgnored(Description test) {
            found.put(name(test), "skipped");
        }

        private static String name(Description test) {
            String method = test.getMethodName();
            return test.getClassName() + "\t" + (method == null ? "" : method);
        }
    }
}
