package deadweight.recorder;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** Settings from DEADWEIGHT_* variables of the environment; README.md lists them. */
final class Settings {
    /** Programs that build and start others: what they start is rather meant. */
    private static final String[] RUNNERS = {
        "org.codehaus.plexus.classworlds.launcher.", "org.apache.maven.", "org.gradle.", "xsbt.boot.", "sbt.",
        "org.apache.tools.ant.", "com.intellij.rt.", "org.junit.platform.console.", "mill.",
    };

    /** Starts a program that is a file of source, the next word. */
    private static final String SOURCE_LAUNCHER = "jdk.compiler/com.sun.tools.javac.launcher.";

    /** Tools of the JDK, which compile, pack and look: nobody wants their heap weighed. */
    private static final String[] TOOLS = {"jdk.", "sun.tools.", "com.sun.tools.", "sun.rmi.", "sun.security.tools."};

    File directory;
    String run;
    String journal;
    boolean exit;
    boolean signal;
    boolean snapshot;
    List<Threshold> thresholds = new ArrayList<Threshold>();
    /** Empty, {@code measure}, {@code climb}, or a number of bytes. */
    String highest;
    long poll;
    /** What is made is recorded with one sample each so many bytes; 0 where it is not. */
    long churnBytes;
    /** Operations the program does in all, 0 when nobody said. */
    long operations;
    /** The program's name in captures. */
    String program;
    /** Whether it builds or starts other programs. */
    boolean runner;
    long pid;

    /** The settings, or null when this process is not one to capture. */
    static Settings read() {
        String command = System.getProperty("sun.java.command", "");
        if (command.isEmpty() && System.getProperty("sun.java.launcher") != null) {
            // It says its version or its options, as scripts ask it to, and runs no program.
            return null;
        }
        String[] words = command.split(" ", 3);
        String main = words[0].startsWith(SOURCE_LAUNCHER) && words.length > 1 ? words[1] : words[0];
        if (startsWith(main, TOOLS) || stays("DEADWEIGHT_CHILDREN", "0") && System.getenv("DEADWEIGHT_ANCESTOR") != null) {
            return null;
        }
        Settings settings = new Settings();
        settings.directory = new File(variable("DEADWEIGHT_DIR", ".")).getAbsoluteFile();
        settings.run = System.getenv("DEADWEIGHT_RUN");
        settings.journal = System.getenv("DEADWEIGHT_JOURNAL");
        for (String item : variable("DEADWEIGHT_WHEN", "exit,SIGUSR2").split(",")) {
            settings.add(item.trim());
        }
        settings.snapshot = !stays("DEADWEIGHT_SNAPSHOT", "0");
        settings.highest = variable("DEADWEIGHT_HIGHEST", "");
        settings.poll = Math.max(10, Long.parseLong(variable("DEADWEIGHT_POLL_MS", "250")));
        settings.churnBytes = Math.max(0, Long.parseLong(variable("DEADWEIGHT_CHURN_BYTES", "0")));
        settings.operations = Math.max(0, Long.parseLong(variable("DEADWEIGHT_OPERATIONS", "0")));
        settings.program = name(main);
        settings.runner = startsWith(main, RUNNERS);
        settings.pid = Files.pid();
        return settings;
    }

    private void add(String item) {
        int above = item.indexOf('>');
        if (item.equals("exit")) {
            exit = true;
        } else if (item.equals("SIGUSR2")) {
            signal = true;
        } else if (above > 0) {
            thresholds.add(new Threshold(item.substring(0, above), Long.parseLong(item.substring(above + 1))));
        }
    }

    /** A measure and the bytes above which it fires, once. */
    static final class Threshold {
        final String measure;
        final long bytes;
        long highest;
        boolean fired;

        Threshold(String measure, long bytes) {
            this.measure = measure;
            this.bytes = bytes;
        }
    }

    /** {@code com.shop.Main} is {@code Main}, {@code target/shop-1.0.jar} is {@code shop-1.0}. */
    private static String name(String main) {
        String name = main.substring(main.lastIndexOf('/') + 1);
        if (name.endsWith(".jar")) {
            name = name.substring(0, name.length() - 4);
        } else if (name.endsWith(".java")) {
            name = name.substring(0, name.length() - 5);
        } else {
            name = name.substring(name.lastIndexOf('.') + 1);
        }
        name = name.replaceAll("[^A-Za-z0-9._-]+", "_").replaceAll("^\\.+", "");
        name = name.substring(0, Math.min(80, name.length()));
        return name.isEmpty() ? "java" : name;
    }

    private static boolean startsWith(String text, String[] starts) {
        for (String start : starts) {
            if (text.startsWith(start)) {
                return true;
            }
        }
        return false;
    }

    private static boolean stays(String variable, String value) {
        return value.equals(System.getenv(variable));
    }

    private static String variable(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null ? otherwise : value;
    }
}
