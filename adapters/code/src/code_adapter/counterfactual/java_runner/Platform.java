import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes of tests with JUnit's platform. Arguments: the report, the folder for classes, lists of sources and classes. */
final class Platform {
    private Platform() {}

    public static void main(String[] arguments) throws Exception {
        Path report = Path.of(arguments[0]);
        Sources.compile(Path.of(arguments[2]), arguments[1]);
        LauncherDiscoveryRequestBuilder wanted = LauncherDiscoveryRequestBuilder.request();
        for (String name : Files.readAllLines(Path.of(arguments[3]), StandardCharsets.UTF_8)) {
            wanted.selectors(DiscoverySelectors.selectClass(name));
        }
        LauncherDiscoveryRequest request = wanted.build();
        Outcomes outcomes = new Outcomes();
        LauncherFactory.create().execute(request, outcomes);
        Sources.end(report, outcomes.lines);
    }

    private static final class Outcomes implements TestExecutionListener {
        private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            add(test, "skipped");
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() || result.getStatus() == TestExecutionResult.Status.FAILED) {
                switch (result.getStatus()) {
                    case SUCCESSFUL:
                        add(test, "passed");
                        break;
                    case ABORTED:
                        add(test, "skipped");
                        break;
                    default:
                        add(test, "failed");
                }
            }
        }

        private void add(TestIdentifier test, String outcome) {
            Object source = test.getSource().orElse(null);
            if (source instanceof MethodSource) {
                MethodSource method = (MethodSource) source;
                lines.add(outcome + "\t" + method.getClassName() + "\t" + method.getMethodName());
            } else if (source instanceof ClassSource) {
                lines.add(outcome + "\t" + ((ClassSource) source).getClassName() + "\t");
            }
        }
    }
}
