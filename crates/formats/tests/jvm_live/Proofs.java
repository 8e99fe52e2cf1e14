import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.FileWriter;
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.ObjectName;

/** Holds something wasteful for each rule, but for the rules that are named: of those it holds what the fix makes. */
public class Proofs {
    static final int MANY = 20_000;
    static final List<Object> all = new ArrayList<>(20 * MANY);
    static Set<String> mended;

    static boolean isMended(String rule) {
        return mended.contains(rule);
    }

    static int made;

    /** Each has a number, so that no two are equal. */
    static class Numbered { final int id = made++; }

    static final class Label extends Numbered { String text; Label(String text) { this.text = text; } }
    static final class Index extends Numbered { Map<String, String> extra; Index(Map<String, String> extra) { this.extra = extra; } }
    static final class Tags extends Numbered { List<Object> tags; Tags(List<Object> tags) { this.tags = tags; } }
    static final class Cache extends Numbered { Map<Object, Object> table; Cache(Map<Object, Object> table) { this.table = table; } }
    static final class Single extends Numbered { Object attributes; Single(Object attributes) { this.attributes = attributes; } }
    static final class Pair { Object key, value; Pair(Object key, Object value) { this.key = key; this.value = value; } }
    static final class Icon extends Numbered { int[] pixels; Icon(int[] pixels) { this.pixels = pixels; } }
    static final class Point { int x, y; Point(int x, int y) { this.x = x; this.y = y; } }
    static final class Place extends Numbered { Point at; Place(Point at) { this.at = at; } }
    static final class Grid extends Numbered { long[] cells; Grid(long[] cells) { this.cells = cells; } }
    static final class Order extends Numbered { Integer quantity; Order(int quantity) { this.quantity = quantity; } }
    static final class TightOrder extends Numbered { int quantity; TightOrder(int quantity) { this.quantity = quantity; } }
    static final class Event { long id; Date at; Event(long id, Date at) { this.id = id; this.at = at; } }
    static final class TightEvent { long id, at; TightEvent(long id, long at) { this.id = id; this.at = at; } }
    /** A list with fields of its own. */
    static final class Basket extends ArrayList<Object> { Object owner; long number = made++; Basket() { super(40); } }
    /** Two boxes in one record: the first number makes a hole that the second fills. */
    static final class Quote extends Numbered { Double bid, ask; Quote(double bid, double ask) { this.bid = bid; this.ask = ask; } }
    static final class TightQuote extends Numbered { double bid, ask; TightQuote(double bid, double ask) { this.bid = bid; this.ask = ask; } }
    static final class Lot extends Numbered { Long size; Lot(long size) { this.size = size; } }
    static final class TightLot extends Numbered { long size; TightLot(long size) { this.size = size; } }
    static final class Page extends Numbered { byte[] text; Page(byte[] text) { this.text = text; } }
    /** What an object of a class without fields does is no container. */
    interface Pricing { }
    static final class Full implements Pricing { }
    static final class Priced extends Numbered { final Pricing pricing = new Full(); }
    static final Map<String, List<Object>> byName = new HashMap<>();
    static final class Note extends Numbered { StringBuilder text; Note(StringBuilder text) { this.text = text; } }

    static void strings() {
        Map<String, String> known = new HashMap<>();
        for (int i = 0; i < MANY; i++) {
            String text = "a label of some length " + i % 50;
            all.add(new Label(isMended("D01") ? known.computeIfAbsent(text, same -> same) : text));
        }
    }

    static void containers() {
        Map<String, String> none = Map.of();
        Object[] entries = new Object[64];
        Arrays.setAll(entries, i -> "entry " + i);
        for (int i = 0; i < MANY; i++) {
            Map<String, String> emptied = new HashMap<>();
            emptied.put("some", "thing");
            emptied.clear();
            // Whoever asks for the keys leaves a view behind.
            for (String key : emptied.keySet()) made += key.length();
            all.add(new Index(isMended("C01") ? none : emptied));
            ArrayList<Object> tags = new ArrayList<>();
            tags.add(new Numbered());
            for (int tag = 1; tag < 11; tag++) tags.add(entries[tag]);
            if (isMended("C03")) tags.trimToSize();
            all.add(new Tags(tags));
            Map<Object, Object> cache = isMended("C03") ? new LinkedHashMap<>() : new LinkedHashMap<>(128);
            Numbered own = new Numbered();
            // Keys that are data: other ones in each.
            for (int entry = 0; entry < 5; entry++) cache.put(entries[(i + entry) % entries.length], own);
            for (Object value : cache.values()) made += value == own ? 0 : 1;
            all.add(new Cache(cache));
            if (isMended("C04")) {
                all.add(new Single(new Pair(entries[i % 64], new Numbered())));
            } else {
                Map<Object, Object> one = new ConcurrentHashMap<>();
                one.put(entries[i % 64], new Numbered());
                all.add(new Single(one));
            }
            Basket basket = new Basket();
            for (int entry = 0; entry < 3; entry++) basket.add(entries[entry]);
            basket.owner = entries[0];
            if (isMended("C03")) basket.trimToSize();
            all.add(basket);
            List<Object> named = new ArrayList<>();
            if (i % 16 == 0) named.add(new Numbered());
            if (i % 16 == 0) ((ArrayList<Object>) named).trimToSize();
            if (!isMended("C01") || !named.isEmpty()) byName.put("a name that nothing else has " + i, named);
            all.add(new Priced());
            StringBuilder text = new StringBuilder(100);
            text.append("note ").append(i);
            if (isMended("C03")) text.trimToSize();
            all.add(new Note(text));
        }
    }

    static void values() {
        int[][] icons = new int[10][];
        Point[] points = new Point[10];
        for (int i = 0; i < MANY; i++) {
            int[] pixels = new int[40];
            Arrays.fill(pixels, i % 10 + 1);
            Point point = new Point(i % 10, 7);
            if (icons[i % 10] == null) {
                icons[i % 10] = pixels;
                points[i % 10] = point;
            }
            all.add(new Icon(isMended("D02") ? icons[i % 10] : pixels));
            all.add(new Place(isMended("D03") ? points[i % 10] : point));
            all.add(new Grid(isMended("E01") ? null : new long[40]));
            all.add(new Page(isMended("E01") ? null : new byte[512]));
            if (isMended("L03")) {
                all.add(new TightLot(i + 1000L));
                all.add(new TightQuote(i + 0.25, i + 0.75));
                all.add(new TightOrder(i + 1000));
                all.add(new TightEvent(i, 1_700_000_000_000L + i * 1000L));
            } else {
                all.add(new Lot(i + 1000L));
                all.add(new Quote(i + 0.25, i + 0.75));
                all.add(new Order(i + 1000));
                all.add(new Event(i, new Date(1_700_000_000_000L + i * 1000L)));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        mended = new HashSet<>(Arrays.asList(args).subList(1, args.length));
        strings();
        containers();
        values();
        write(args[0]);
        if (all.isEmpty()) throw new IllegalStateException();
    }

    static void write(String name) throws Exception {
        histogram();
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        bean.dumpHeap(name + ".hprof", true);
        // The writer's own buffer stands in no dump, so it comes after the histogram.
        String held = histogram();
        try (FileWriter to = new FileWriter(name + ".txt")) {
            to.write(held);
        }
    }

    static String histogram() throws Exception {
        ObjectName command = new ObjectName("com.sun.management:type=DiagnosticCommand");
        return (String) ManagementFactory.getPlatformMBeanServer()
            .invoke(command, "gcClassHistogram", new Object[] {new String[0]}, new String[] {String[].class.getName()});
    }
}
