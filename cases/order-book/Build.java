import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles every variant in one process: most of the time of a compiler is its start. */
public final class Build {
    private Build() {}

    public static void main(String[] arguments) throws IOException {
        Path out = Path.of(arguments[0]);
        if (Files.exists(out)) {
            try (Stream<Path> old = Files.walk(out)) {
                old.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
        compile(out.resolve("before"), "src");
        File[] fixes = new File("fixes").listFiles(File::isDirectory);
        for (File fix : fixes) {
            // Files of a fix stand before those of src/ that have their names.
            compile(out.resolve(fix.getName()), fix + File.pathSeparator + "src");
        }
    }

    private static void compile(Path out, String sources) throws IOException {
        Files.createDirectories(out);
        String[] options = {"--release", "17", "-Xlint:all", "-Werror", "-d", out.toString(), "-sourcepath", sources, main(sources)};
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, options) != 0) {
            System.exit(1);
        }
    }

    /** The file with main, of the first folder that has one. */
    private static String main(String sources) {
        for (String folder : sources.split(File.pathSeparator)) {
            File file = new File(folder, "book/Main.java");
            if (file.exists()) {
                return file.getPath();
            }
        }
        throw new IllegalArgumentException(sources);
    }
}
