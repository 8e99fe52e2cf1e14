import java.io.File;
import java.net.URI;
import java.net.URL;
import java.sql.Timestamp;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Values of the library: each of a few equal ones made again for each row, or, with {@code shared}, once. */
class Values {
    static final int ROWS = 5_000;
    static final int EACH = 10;
    static final List<Row> ROW = new ArrayList<>();

    static class Row {
        final int number;
        final URI uri;
        final File file;
        final Timestamp changed;
        final Map.Entry<String, String> pair;

        Row(int number, URI uri, File file, Timestamp changed, Map.Entry<String, String> pair) {
            this.number = number;
            this.uri = uri;
            this.file = file;
            this.changed = changed;
            this.pair = pair;
        }
    }

    static Row row(int number) {
        int at = number % EACH;
        Timestamp changed = new Timestamp(1_000_000L * at);
        changed.setNanos(at);
        return new Row(
            number,
            URI.create("https://example.org/" + at + "?page=" + at),
            new File("/srv/data/" + at),
            changed,
            new SimpleImmutableEntry<>("key " + at, "value " + at));
    }

    public static void main(String[] arguments) throws Exception {
        List<Row> first = new ArrayList<>();
        for (int number = 0; number < EACH; number++) first.add(row(number));
        for (int number = 0; number < ROWS; number++) {
            Row same = arguments.length > 1 ? first.get(number % EACH) : row(number);
            ROW.add(new Row(number, same.uri, same.file, same.changed, same.pair));
        }
        Layouts.write(arguments[0]);
    }
}
