package deadweight.recorder;

import java.io.File;
import java.io.IOException;
import java.text.SimpleDateFormat;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;

/** One capture: collect the garbage, write the dump, count the classes, then the record. */
final class Capture {
    private static final String DUMP = "heap.hprof";
    private static final String HISTOGRAM = "histogram.json";
    private static final String CURVE = "curve.json";

    private final Settings settings;
    private final Machine machine;
    private final Curve curve;
    /** What the program makes; null where that is not recorded. */
    private volatile Churn churn;

    private final long base = Files.memory("VmRSS");
    private final long baseBeside = Machine.besideHeap();
    private final long started = System.nanoTime();
    private int taken;

    Capture(Settings settings, Machine machine, Curve curve) {
        this.settings = settings;
        this.machine = machine;
        this.curve = curve;
    }

    /** From now on captures have what the program makes. */
    void record(Churn churn) {
        this.churn = churn;
    }

    /** Takes a capture and returns its directory; {@code mainReturned} is null where nobody knows. */
    synchronized File take(String reason, String trigger, Boolean mainReturned) throws Exception {
        if (churn == null) {
            return takeNow(reason, trigger, mainReturned);
        }
        Churn.pause(true);
        try {
            return takeNow(reason, trigger, mainReturned);
        } finally {
            // Behind the last capture nobody asks.
            Churn.pause("exit".equals(reason));
        }
    }

    private File takeNow(String reason, String trigger, Boolean mainReturned) throws Exception {
        long start = System.nanoTime();
        // A collection and a dump change what is resident.
        long resident = Files.memory("VmRSS");
        long peakBefore = Math.max(resident, Files.memory("VmHWM"));
        long heap = Resident.heap(machine);
        File directory = Files.makeDirectory(settings, ++taken);
        try {
            Map<String, Object> record = new LinkedHashMap<String, Object>();
            record.put("schema", "deadweight/capture/1");
            record.put("run", settings.run);
            record.put("runtime", runtime());
            Throwable uncounted = prepared();
            Map<String, Object> snapshot = settings.snapshot ? dump(directory) : null;
            List<List<Object>> histogram = null;
            if (uncounted == null) {
                histogram = machine.histogram();
            } else {
                Files.say("the classes were not counted", uncounted);
            }
            long held = histogram == null ? machine.used() : Machine.total(histogram);
            Map<String, Object> process = process(reason, trigger, held, mainReturned);
            process.put("rss", resident);
            if (taken == 1) {
                // What an earlier capture took may be resident still.
                // Code, classes, and the room that the machine has for garbage: none of it is the program's data.
                long beside = Math.max(0, Machine.besideHeap() - baseBeside);
                process.put("rss_base", base + beside + Math.max(0, heap - held));
                process.put("rss_peak", peakBefore);
            }
            record.put("process", process);
            record.put("snapshot", snapshot);
            record.put("jvm", jvm(directory, histogram));
            record.put("churn", made(directory, held, mainReturned));
            // Regions that are not full and the machine's own archive count as used, and hold nothing of the program.
            long unfilled = histogram == null ? 0 : Math.max(0, machine.used() - held);
            machine.afterFull();
            Files.write(directory, CURVE, curve.file(held, unfilled));
            curve.add(held + unfilled);
            record.put("curve", CURVE);
            Map<String, Object> cost = new LinkedHashMap<String, Object>();
            cost.put("seconds", seconds(start));
            cost.put("peak_rss_before", peakBefore);
            cost.put("peak_rss", Files.memory("VmHWM"));
            record.put("cost", cost);
            Files.write(directory, "capture.json", Files.json(new StringBuilder(), record));
            return directory;
        } catch (Throwable failed) {
            Files.remove(directory);
            throw failed;
        }
    }

    /** The first of all captures, a later one, or none yet. */
    synchronized int taken() {
        return taken;
    }

    /** Without it the rest of the capture is as good. */
    private Map<String, Object> made(File directory, long held, Boolean mainReturned) {
        try {
            return churn == null ? null : churn.write(directory, held, mainReturned);
        } catch (Throwable error) {
            Files.say("what the program made was not written", error);
            return null;
        }
    }

    private Throwable prepared() {
        try {
            machine.prepare();
            return null;
        } catch (Throwable error) {
            return error;
        }
    }

    private Map<String, Object> dump(File directory) throws IOException {
        long start = System.nanoTime();
        File file = new File(directory, DUMP);
        machine.dump(file);
        Map<String, Object> snapshot = new LinkedHashMap<String, Object>();
        snapshot.put("file", DUMP);
        snapshot.put("bytes", file.length());
        snapshot.put("string_limit", 0xFFFF_FFFFL);
        snapshot.put("numeric_values", true);
        snapshot.put("seconds", seconds(start));
        return snapshot;
    }

    private Map<String, Object> jvm(File directory, List<List<Object>> histogram) throws IOException {
        Map<String, Object> jvm = new LinkedHashMap<String, Object>();
        if (histogram != null) {
            Map<String, Object> file = new LinkedHashMap<String, Object>();
            file.put("schema", "deadweight/histogram/1");
            file.put("classes", histogram);
            Files.write(directory, HISTOGRAM, Files.json(new StringBuilder(), file));
            jvm.put("histogram", HISTOGRAM);
        }
        jvm.put("flags", machine.flags());
        return jvm;
    }

    private Map<String, Object> process(String reason, String trigger, long held, Boolean mainReturned) {
        Map<String, Object> process = new LinkedHashMap<String, Object>();
        process.put("pid", settings.pid);
        process.put("runner", settings.runner);
        process.put("argv", Arrays.asList(Files.read("/proc/self/cmdline").split("\0")));
        process.put("exec_path", executable());
        process.put("cwd", System.getProperty("user.dir"));
        process.put("uptime_seconds", seconds(started));
        process.put("reason", reason);
        process.put("trigger", trigger);
        process.put("time", now());
        process.put("heap_used", held);
        process.put("heap_total", machine.committed());
        process.put("external", machine.direct());
        process.put("heap_limit", Runtime.getRuntime().maxMemory());
        process.put("main_returned", mainReturned);
        return process;
    }

    private Map<String, Object> runtime() {
        Map<String, Object> runtime = new LinkedHashMap<String, Object>();
        runtime.put("name", "java");
        runtime.put("version", System.getProperty("java.version"));
        runtime.put("engine", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        runtime.put("arch", System.getProperty("os.arch"));
        runtime.put("word_bytes", "32".equals(System.getProperty("sun.arch.data.model")) ? 4 : 8);
        runtime.put("pointer_compression", "true".equals(machine.option("UseCompressedOops")));
        return runtime;
    }

    private static String executable() {
        try {
            return new File("/proc/self/exe").getCanonicalPath();
        } catch (IOException none) {
            return null;
        }
    }

    private static String now() {
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        return format.format(new Date());
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
