import java.io.File;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

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
        final InetAddress host;
        final Path path;
        final Pattern pattern;
        final BitSet bits;

        Row(
                int number,
                URI uri,
                File file,
                Timestamp changed,
                Map.Entry<String, String> pair,
                InetAddress host,
                Path path,
                Pattern pattern,
                BitSet bits) {
            this.number = number;
            this.uri = uri;
            this.file = file;
            this.changed = changed;
            this.pair = pair;
            this.host = host;
            this.path = path;
            this.pattern = pattern;
            this.bits = bits;
        }

        Row(int number, Row same) {
            this(
                number,
                same.uri,
                same.file,
                same.changed,
                same.pair,
                same.host,
                same.path,
                same.pattern,
                same.bits);
        }
    }

    static Row row(int number) throws Exception {
        int at = number % EACH;
        Timestamp changed = new Timestamp(1_000_000L * at);
        changed.setNanos(at);
        BitSet bits = new BitSet(200);
        bits.set(at, 3 * at + 1);
        return new Row(
            number,
            URI.create("https://example.org/" + at + "?page=" + at),
            new File("/srv/data/" + at),
            changed,
            new SimpleImmutableEntry<>("key " + at, "value " + at),
            InetAddress.getByAddress("host" + at, new byte[] {10, 0, 0, (byte) at}),
            Path.of("/srv/log/" + at),
            Pattern.compile("^(GET|POST) /page/" + at + "/[a-z]+$"),
            bits);
    }

    public static void main(String[] arguments) throws Exception {
        List<Row> first = new ArrayList<>();
        for (int number = 0; number < EACH; number++) first.add(row(number));
        for (int number = 0; number < ROWS; number++) {
            Row same = arguments.length > 1 ? first.get(number % EACH) : row(number);
            ROW.add(new Row(number, same));
        }
        Layouts.write(arguments[0]);
    }
}
