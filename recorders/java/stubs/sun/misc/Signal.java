package sun.misc;

/** What every JVM has and no compiler for Java 8 shows; the recorder is compiled against it, and it is not in the jar. */
public final class Signal {
    public Signal(String name) {}

    public String getName() {
        return null;
    }

    public static SignalHandler handle(Signal signal, SignalHandler handler) {
        return null;
    }
}
