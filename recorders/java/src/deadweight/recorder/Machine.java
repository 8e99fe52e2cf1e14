package deadweight.recorder;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the virtual machine tells and does. */
final class Machine {
    private static final String[] FLAGS = {
        "UseCompressedOops", "UseCompressedClassPointers", "UseCompactObjectHeaders", "ObjectAlignmentInBytes",
        "CompactStrings", "UseStringDeduplication", "MaxHeapSize", "UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC",
        "UseShenandoahGC", "UseConcMarkSweepGC",
    };

    /** Collectors that do not look at the whole heap, by a piece of their name. */
    private static final String[] PARTIAL = {
        "Copy", "ParNew", "Scavenge", "Young", "Pauses", "Minor", "Concurrent GC",
    };

    /** In the names of the classes with which HotSpot fills gaps, since 19: FillerObject, and FillerElement of arrays. */
    private static final String FILLER = "jdk.internal.vm.Filler";

    private final Instrumentation instrumentation;
    private HotSpotDiagnosticMXBean diagnostic;
    private Object commands;
    private Method execute;

    Machine(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    private synchronized HotSpotDiagnosticMXBean diagnostic() {
        if (diagnostic == null) {
            diagnostic = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        }
        if (diagnostic == null) {
            throw new UnsupportedOperationException("this virtual machine is not HotSpot");
        }
        return diagnostic;
    }

    /** Collects garbage and writes what is left. */
    void dump(File file) throws IOException {
        diagnostic().dumpHeap(file.getPath(), true);
    }

    /** The value of an option, null where the machine has no such one. */
    String option(String name) {
        try {
            return diagnostic().getVMOption(name).getValue();
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    /** Sets an option for this process, unless whoever started it has set it. */
    boolean setOption(String name, String value) {
        if (diagnostic().getVMOption(name).getOrigin() != VMOption.Origin.DEFAULT) {
            return false;
        }
        diagnostic().setVMOption(name, value);
        return true;
    }

    Map<String, Object> flags() {
        Map<String, Object> flags = new LinkedHashMap<String, Object>();
        for (String name : FLAGS) {
            flags.put(name, option(name));
        }
        return flags;
    }

    /** Prepares what {@link #histogram} takes, so that it is in a dump that is taken before it as well. */
    synchronized void prepare() throws ReflectiveOperationException {
        if (execute != null) {
            return;
        }
        // The usual way leads through a server of management beans, which starts the program's logging.
        String name = "com.sun.management.internal.DiagnosticCommandImpl";
        Class<?> type;
        try {
            type = Class.forName(name);
            open(type);
        } catch (ClassNotFoundException before9) {
            type = Class.forName("sun.management.DiagnosticCommandImpl");
        }
        Method make = type.getDeclaredMethod("getDiagnosticCommandMBean");
        make.setAccessible(true);
        commands = make.invoke(null);
        Method found = type.getDeclaredMethod("executeDiagnosticCommand", String.class);
        found.setAccessible(true);
        execute = found;
    }

    /** The version of Java: 8, 17. */
    static int version() {
        String[] parts = System.getProperty("java.specification.version", "8").split("\\.");
        return Integer.parseInt(parts.length > 1 && parts[0].equals("1") ? parts[1] : parts[0]);
    }

    /** Lets the recorder call a class of a package that its module keeps to itself; by reflection, as Java 8 has no modules. */
    void open(Class<?> type) throws ReflectiveOperationException {
        Class<?> module = Class.forName("java.lang.Module");
        Method moduleOf = Class.class.getMethod("getModule");
        Method redefine =
                Instrumentation.class.getMethod(
                        "redefineModule", module, Set.class, Map.class, Map.class, Set.class, Map.class);
        String inside = type.getName().substring(0, type.getName().lastIndexOf('.'));
        Set<Object> own = Collections.singleton(moduleOf.invoke(Machine.class));
        redefine.invoke(
                instrumentation,
                moduleOf.invoke(type),
                new HashSet<Object>(),
                new LinkedHashMap<String, Object>(),
                Collections.singletonMap(inside, own),
                new HashSet<Object>(),
                new LinkedHashMap<String, Object>());
    }

    /** What the machine says to a command of jcmd. */
    String command(String name) throws ReflectiveOperationException {
        prepare();
        return (String) execute.invoke(commands, name);
    }

    /**
     * Objects and bytes of each class after another collection: rows of name, count and bytes. What a collector puts into
     * gaps between objects is left out: how many gaps there are differs from one collection to the next.
     */
    List<List<Object>> histogram() throws ReflectiveOperationException {
        String text = command("GC.class_histogram");
        List<List<Object>> rows = new ArrayList<List<Object>>();
        for (String line : text.split("\n")) {
            String[] words = line.trim().split("\\s+");
            if (words.length >= 4 && words[0].matches("\\d+:") && !words[3].contains(FILLER)) {
                rows.add(Arrays.<Object>asList(words[3], Long.parseLong(words[1]), Long.parseLong(words[2])));
            }
        }
        return rows;
    }

    static long total(List<List<Object>> histogram) {
        long total = 0;
        for (List<Object> row : histogram) {
            total += (Long) row.get(2);
        }
        return total;
    }

    /** Heap in use, garbage included. */
    long used() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Compiled code and classes. */
    static long besideHeap() {
        return ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed();
    }

    long committed() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
    }

    /** What direct buffers hold outside of the heap. */
    long direct() {
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (pool.getName().equals("direct")) {
                return pool.getMemoryUsed();
            }
        }
        return 0;
    }

    /** Collects all garbage and returns what is held then. */
    long collect() throws ReflectiveOperationException {
        // Where these are set, asking for a collection brings none, or one that is not finished when it returns.
        if ("true".equals(option("DisableExplicitGC")) || "true".equals(option("ExplicitGCInvokesConcurrent"))) {
            return total(histogram());
        }
        System.gc();
        // What the program has allocated since is garbage again by now.
        GcInfo latest = latestFull();
        return latest == null ? used() : inHeap(latest.getMemoryUsageAfterGc());
    }

    private List<GarbageCollectorMXBean> collectors;
    private long fullSeen;

    /** What was held after the latest full collection, when there was one since the last call; else -1. */
    synchronized long afterFull() {
        long seen = 0;
        for (GarbageCollectorMXBean bean : collectors()) {
            seen += bean.getCollectionCount();
        }
        if (seen == fullSeen) {
            return -1;
        }
        fullSeen = seen;
        GcInfo latest = latestFull();
        return latest == null ? -1 : inHeap(latest.getMemoryUsageAfterGc());
    }

    private synchronized List<GarbageCollectorMXBean> collectors() {
        if (collectors == null) {
            collectors = new ArrayList<GarbageCollectorMXBean>();
            for (GarbageCollectorMXBean bean : ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class)) {
                if (isFull(bean.getName())) {
                    collectors.add(bean);
                }
            }
        }
        return collectors;
    }

    /** The latest full collection, null where there was none. */
    private GcInfo latestFull() {
        GcInfo latest = null;
        for (GarbageCollectorMXBean bean : collectors()) {
            GcInfo info = bean.getLastGcInfo();
            if (info != null && (latest == null || info.getEndTime() > latest.getEndTime())) {
                latest = info;
            }
        }
        return latest;
    }

    private static long inHeap(Map<String, MemoryUsage> pools) {
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pools.get(pool.getName());
            if (usage != null && pool.getType() == MemoryType.HEAP) {
                bytes += usage.getUsed();
            }
        }
        return bytes;
    }

    private static boolean isFull(String collector) {
        for (String name : PARTIAL) {
            if (collector.contains(name)) {
                return false;
            }
        }
        return true;
    }
}
