import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles sources into a folder that comes first on the class path, and writes what the tests did. */
final class Sources {
    /** Exit code: a source doesn't compile. */
    static final int BROKEN = 3;

    /** Exit code: there is no compiler. */
    static final int UNABLE = 4;

    private static final List<String> OPTIONS = List.of("-nowarn", "-g", "-parameters", "-encoding", "UTF-8");

    private Sources() {}

    /** Compile the files that {@code listed} names, one a line; ends the program where that fails. */
    static void compile(Path listed, String target) throws IOException {
        List<String> sources = Files.readAllLines(listed, StandardCharsets.UTF_8);
        if (sources.isEmpty()) {
            return;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            Runtime.getRuntime().halt(UNABLE);
        }
        List<String> arguments = new ArrayList<>(OPTIONS);
        arguments.addAll(List.of("-d", target, "-classpath", System.getProperty("java.class.path")));
        arguments.addAll(sources);
        if (compiler.run(null, null, null, arguments.toArray(new String[0])) != 0) {
            Runtime.getRuntime().halt(BROKEN);
        }
    }

    /** Write the outcomes, one a line, and end the program, whatever threads of the tests still run. */
    static void end(Path report, List<String> lines) throws IOException {
        lines.add("end");
        Files.write(report, lines, StandardCharsets.UTF_8);
        Runtime.getRuntime().halt(0);
    }
}
