import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles all proofs, those before their fixes and those after, in one process: most of the time of a compiler is its start. */
public final class Build {
    private Build() {}

    public static void main(String[] arguments) throws IOException {
        Path out = Path.of(arguments[0]);
        if (Files.exists(out)) {
            try (Stream<Path> old = Files.walk(out)) {
                old.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
        for (String side : List.of("Before", "After")) {
            compile(out.resolve(side.toLowerCase()), side + ".java");
        }
    }

    private static void compile(Path out, String side) throws IOException {
        Files.createDirectories(out);
        List<String> options = new ArrayList<>(List.of("--release", "17", "-Xlint:all", "-Werror", "-d", out.toString()));
        try (Stream<Path> files = Files.walk(Path.of("."), 2)) {
            files.filter(file -> isOf(file, side)).map(Path::toString).sorted().forEach(options::add);
        }
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)) != 0) {
            System.exit(1);
        }
    }

    /** Whether a file is one of a side, or of both. */
    private static boolean isOf(Path file, String side) {
        String name = file.getFileName().toString();
        boolean isOfBoth = name.equals("Input.java") || name.endsWith(".java") && file.startsWith("./lib");
        return name.equals(side) || isOfBoth;
    }
}
