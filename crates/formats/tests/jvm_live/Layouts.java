import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.FileWriter;
import java.lang.management.ManagementFactory;
import java.util.*;
import javax.management.ObjectName;

/** Makes classes at random, five instances of each and arrays of all lengths, and writes a dump beside the class histogram. */
public class Layouts {
    static final String[] TYPES = {"boolean", "byte", "short", "char", "int", "float", "long", "double", "Object", "String"};
    static final List<Object> all = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (int number = 0; number < Integer.parseInt(args[1]); number++) {
            Class<?> made = Class.forName("Made" + number);
            for (int i = 0; i < 5; i++) all.add(made.getDeclaredConstructor().newInstance());
        }
        for (int length = 0; length < 40; length++) {
            all.add(new byte[length]); all.add(new short[length]); all.add(new int[length]);
            all.add(new long[length]); all.add(new Object[length]); all.add(new char[length]);
        }
        write(args[0]);
        if (all.isEmpty()) throw new IllegalStateException();
    }

    /** Writes a dump and the histogram of the same moment. */
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

    /** The source of so many classes, each with fields at random, some extending another. */
    static String source(int count, long seed) {
        Random random = new Random(seed);
        StringBuilder source = new StringBuilder();
        for (int number = 0; number < count; number++) {
            source.append("class Made").append(number);
            if (number > 0 && random.nextInt(3) > 0) source.append(" extends Made").append(random.nextInt(number));
            source.append(" {");
            for (int field = random.nextInt(7); field > 0; field--) {
                source.append(TYPES[random.nextInt(TYPES.length)]).append(" f").append(field).append("; ");
            }
            source.append("}\n");
        }
        return source.toString();
    }
}

/** Keeps numbers with garbage between them, and exceptions. */
class Gaps {
    public static void main(String[] args) throws Exception {
        int garbage = 0;
        for (int i = 0; i < 20_000; i++) {
            Layouts.all.add(Long.valueOf(1_000_000L + i));
            garbage += new byte[64].length;
            if (i % 40 == 0) {
                try {
                    Integer.parseInt("no number");
                } catch (NumberFormatException thrown) {
                    Layouts.all.add(thrown);
                }
            }
        }
        Layouts.write(args[0]);
        if (Layouts.all.size() > garbage) throw new IllegalStateException();
    }
}

/** Keeps a list that a register of the library has, too, and what the library has in few steps. */
class Registered {
    static final List<java.math.BigDecimal> LINES = new ArrayList<>();
    static final Locale LOCALE = Locale.CANADA_FRENCH;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 5_000; i++) LINES.add(new java.math.BigDecimal(i));
        System.getProperties().put("lines", LINES);
        Layouts.write(args[0]);
        if (LINES.size() > 5_000 + LOCALE.hashCode() % 2) throw new IllegalStateException();
    }
}

class MakeLayouts {
    public static void main(String[] args) {
        System.out.print(Layouts.source(Integer.parseInt(args[0]), Long.parseLong(args[1])));
    }
}
