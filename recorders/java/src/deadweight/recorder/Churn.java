package deadweight.recorder;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the program makes: a library hears of one object each so many bytes, and this says whose classes stand in stacks. */
final class Churn {
    private static final String FILE = "made.churn";
    private static final int TOO_OLD = -1;
    /** JVMTI_ERROR_NOT_AVAILABLE. */
    private static final int TAKEN = 98;

    /** From this version on distances between samples are right however short they are; before, from this number of bytes on. */
    private static final int SHORT_DISTANCES = 17;

    private static final long LONG = 131072;

    private static final int PIECE = 4096;
    /** Eight megabytes, sixteen times the mean distance that the machine begins with. */
    private static final int MOST_PIECES = 2048;

    private static volatile byte[] piece;

    private final Settings settings;

    private Churn(Settings settings) {
        this.settings = settings;
    }

    /** Begins; null where the program goes on unrecorded, which is said. */
    static Churn start(Settings settings, Machine machine) {
        String library = System.getenv("DEADWEIGHT_JAVA_LIBRARY");
        if (settings.churnBytes == 0 || library == null || library.isEmpty() || "measure".equals(settings.highest)) {
            return null;
        }
        boolean mayBeShort = Machine.version() >= SHORT_DISTANCES;
        if (settings.churnBytes > 1 && !mayBeShort) {
            settings.churnBytes = Math.max(settings.churnBytes, LONG);
        }
        try {
            load(library, machine);
            int answer = begin((int) Math.min(settings.churnBytes, Integer.MAX_VALUE), mayBeShort);
            if (answer == 0) {
                reachFirstSample();
                pause(false);
                return new Churn(settings);
            }
            Files.say("what the program makes is not recorded: " + why(answer), null);
        } catch (Throwable error) {
            Files.say("what the program makes is not recorded", error);
        }
        return null;
    }

    /** Allocates until the machine samples: how far off that is for this thread was drawn before another distance was set. */
    private static void reachFirstSample() {
        for (int at = 0; at < MOST_PIECES && !seen(); at++) {
            piece = new byte[PIECE];
        }
        piece = null;
    }

    private static String why(int answer) {
        if (answer == TOO_OLD) {
            return "the virtual machine has to be of version 11 or later";
        }
        if (answer == TAKEN) {
            return "another agent already samples its allocations";
        }
        return "the virtual machine cannot sample (" + answer + ")";
    }

    /**
     * Loads the library. From 24 on System.load warns on standard error of each class that is not in a module; what it calls
     * does not.
     */
    private static void load(String library, Machine machine) throws Throwable {
        if (Machine.version() < 24) {
            System.load(library);
            return;
        }
        machine.open(ClassLoader.class);
        Method load = ClassLoader.class.getDeclaredMethod("loadLibrary", Class.class, File.class);
        load.setAccessible(true);
        try {
            load.invoke(null, Churn.class, new File(library));
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    /** Whether what is made now is left out. */
    static native void pause(boolean paused);

    private static native int begin(int every, boolean mayBeShort);

    /** Whether the machine has sampled anything of this thread since. */
    private static native boolean seen();

    /** The classes of all frames, by number; null for those that are unloaded. */
    private static native Class<?>[] classes();

    /** The files that these were compiled from, a line each; an empty one for a class that does not say. */
    private static native byte[] sources();

    private static native long write(byte[] path, byte[] head, byte[] origins, long operations, long heapUsed);

    /** Writes what was made until now, while it is paused; gives what the capture's record says of it. */
    Map<String, Object> write(File directory, long held, Boolean mainReturned) throws IOException {
        String command = System.getProperty("sun.java.command", "");
        Origins known = new Origins(System.getProperty("user.dir"), command, settings.runner);
        StringBuilder origins = new StringBuilder();
        // Classes are numbered as they are met, so those that came later are at the end of one of the two.
        Class<?>[] types = classes();
        String[] sources = new String(sources(), StandardCharsets.UTF_8).split("\n", -1);
        for (int at = 0; at < Math.min(types.length, sources.length); at++) {
            origins.append(types[at] == null ? "" : known.of(types[at], sources[at])).append('\n');
        }
        String path = new File(directory, FILE).getPath();
        String head = Files.json(new StringBuilder(), head(mainReturned)).toString();
        long objects = write(utf8(path), utf8(head), utf8(origins.toString()), settings.operations, held);
        if (objects < 0) {
            throw new IOException("the file could not be written");
        }
        Map<String, Object> said = new LinkedHashMap<String, Object>();
        said.put("file", FILE);
        said.put("operations", settings.operations);
        said.put("objects", objects);
        if (settings.churnBytes > 1) {
            said.put("every_bytes", settings.churnBytes);
        }
        return said;
    }

    private Map<String, Object> head(Boolean mainReturned) {
        Map<String, Object> runtime = new LinkedHashMap<String, Object>();
        runtime.put("name", "java");
        runtime.put("version", System.getProperty("java.version"));
        runtime.put("word_bytes", "32".equals(System.getProperty("sun.arch.data.model")) ? 4 : 8);
        Map<String, Object> head = new LinkedHashMap<String, Object>();
        head.put("deadweight", "churn");
        head.put("version", 1);
        head.put("runtime", runtime);
        if (settings.churnBytes > 1) {
            Map<String, Object> sampling = new LinkedHashMap<String, Object>();
            sampling.put("every_bytes", settings.churnBytes);
            head.put("sampling", sampling);
        }
        head.put("root", System.getProperty("user.dir"));
        head.put("main_returned", Boolean.TRUE.equals(mainReturned));
        return head;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
