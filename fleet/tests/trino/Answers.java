import com.fasterxml.jackson.databind.ObjectMapper;
import io.trino.Session;
import io.trino.plugin.hive.HivePlugin;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.TestingSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Answers questions with Trino, a coordinator and two workers in one process, over the files of a dataset, as JSON:
 * [[[value, ...], ...], ...]. Arguments: the dataset, its tables in SQL, the questions, and the file for the answers.
 */
public final class Answers {
    public static void main(String[] arguments) throws Exception {
        Path dataset = Path.of(arguments[0]);
        Session session = TestingSession.testSessionBuilder()
                .setCatalog("hive")
                .setSchema("fleet")
                .setTimeZoneKey(TimeZoneKey.UTC_KEY)
                .build();
        List<Object> answers = new ArrayList<>();
        try (DistributedQueryRunner trino = DistributedQueryRunner.builder(session).setWorkerCount(2).build()) {
            trino.installPlugin(new HivePlugin());
            trino.createCatalog("hive", "hive", Map.of(
                    "hive.metastore", "file",
                    "hive.metastore.catalog.dir", "local:///metastore",
                    "hive.recursive-directories", "true",
                    "hive.timestamp-precision", "MICROSECONDS",
                    "fs.local.enabled", "true",
                    "local.location", dataset.getParent().toString()));
            trino.execute("CREATE SCHEMA fleet");
            for (String statement : statements(arguments[1])) {
                trino.execute(statement.replace("FLEET", "local:///" + dataset.getFileName()));
            }
            for (String question : statements(arguments[2])) {
                List<Object> rows = new ArrayList<>();
                for (MaterializedRow row : trino.execute(question)) {
                    rows.add(row.getFields().stream().map(Answers::plain).toList());
                }
                answers.add(rows);
            }
        }
        new ObjectMapper().writeValue(Path.of(arguments[3]).toFile(), answers);
        // Its threads would keep the process.
        System.exit(0);
    }

    /** Those of a file, without its comments. */
    private static List<String> statements(String file) throws IOException {
        try (var lines = Files.lines(Path.of(file))) {
            String text = lines.filter(line -> !line.stripLeading().startsWith("--")).collect(Collectors.joining("\n"));
            return List.of(text.split(";")).stream().filter(statement -> !statement.isBlank()).toList();
        }
    }

    /** Times in microseconds. */
    private static Object plain(Object value) {
        if (value instanceof LocalDateTime time) {
            return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        return value.toString();
    }
}
