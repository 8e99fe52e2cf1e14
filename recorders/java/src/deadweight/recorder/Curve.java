package deadweight.recorder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the process holds over time: the heap in use right after a full collection. */
final class Curve {
    /** So many points are kept; then of each two the higher one stays. */
    private static final int MOST = 240;

    private final Settings settings;
    private final long started = System.nanoTime();
    private List<long[]> points = new ArrayList<long[]>();
    private long[] highest = {0, 0};

    Curve(Settings settings) {
        this.settings = settings;
    }

    synchronized void add(long bytes) {
        long[] moment = {elapsed(), bytes};
        if (bytes > highest[1]) {
            highest = moment;
        }
        Files.note(settings.journal, "held " + settings.pid + " " + moment[0] + " " + bytes);
        points.add(moment);
        if (points.size() >= MOST) {
            List<long[]> fewer = new ArrayList<long[]>();
            for (int i = 0; i + 1 < points.size(); i += 2) {
                long[] first = points.get(i);
                long[] second = points.get(i + 1);
                fewer.add(first[1] >= second[1] ? first : second);
            }
            points = fewer;
        }
    }

    /** The file, for a capture of {@code held} bytes, beside which {@code unfilled} more were in use. */
    synchronized StringBuilder file(long held, long unfilled) {
        long[] captured = {elapsed(), held};
        Map<String, Object> file = new LinkedHashMap<String, Object>();
        file.put("schema", "deadweight/curve/1");
        file.put("of", "collected");
        long[] most = {highest[0], Math.max(0, highest[1] - unfilled)};
        file.put("highest", point(held > most[1] ? captured : most));
        file.put("captured", point(captured));
        List<Object> all = new ArrayList<Object>();
        for (long[] moment : points) {
            all.add(point(new long[] {moment[0], Math.max(0, moment[1] - unfilled)}));
        }
        file.put("points", all);
        return Files.json(new StringBuilder(), file);
    }

    private static Map<String, Object> point(long[] moment) {
        Map<String, Object> point = new LinkedHashMap<String, Object>();
        point.put("ms", moment[0]);
        point.put("bytes", moment[1]);
        return point;
    }

    private long elapsed() {
        return (System.nanoTime() - started) / 1000000;
    }
}
