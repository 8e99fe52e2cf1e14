package deadweight.recorder;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much of the heap, garbage and free room included, is in memory. */
final class Resident {
    /** Where a part of the heap begins and ends, as the machine says it. */
    private static final Pattern RANGE = Pattern.compile("\\[0x([0-9a-f]+), *0x([0-9a-f]+)");

    /** The first line of a mapping. */
    private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .*");

    private Resident() {}

    /** In bytes: by the system's list of mappings; by what the machine had in use at most where it does not say where. */
    static long heap(Machine machine) {
        long mapped = 0;
        try {
            List<long[]> ranges = ranges(machine.command("GC.heap_info"));
            mapped = ranges.isEmpty() ? 0 : mapped(Files.read("/proc/self/smaps"), ranges);
        } catch (ReflectiveOperationException | RuntimeException none) {
            // The machine does not say where its heap is, which keeps nothing from being captured.
        }
        return mapped > 0 ? mapped : Math.min(machine.committed(), mostUsed());
    }

    private static List<long[]> ranges(String said) {
        List<long[]> ranges = new ArrayList<long[]>();
        for (String line : said.split("\n")) {
            if (line.trim().startsWith("Metaspace")) {
                // What follows is beside the heap.
                break;
            }
            Matcher range = RANGE.matcher(line);
            if (range.find()) {
                ranges.add(new long[] {Long.parseLong(range.group(1), 16), Long.parseLong(range.group(2), 16)});
            }
        }
        return ranges;
    }

    private static long mapped(String smaps, List<long[]> ranges) {
        long bytes = 0;
        boolean isHeap = false;
        for (String line : smaps.split("\n")) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.matches()) {
                isHeap = meets(mapping.group(1), mapping.group(2), ranges);
            } else if (isHeap && line.startsWith("Rss:")) {
                bytes += Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        return bytes;
    }

    private static boolean meets(String from, String to, List<long[]> ranges) {
        if (to.length() > 15) {
            // The kernel's own page, beyond what a number with a sign holds.
            return false;
        }
        for (long[] range : ranges) {
            if (Long.parseLong(from, 16) < range[1] && range[0] < Long.parseLong(to, 16)) {
                return true;
            }
        }
        return false;
    }

    /** Of each part of the heap the most that was in use: so much of it was touched. */
    private static long mostUsed() {
        long most = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                most += pool.getPeakUsage().getUsed();
            }
        }
        return most;
    }
}
