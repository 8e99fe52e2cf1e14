package sun.misc;

/** See {@link Signal}. */
public interface SignalHandler {
    void handle(Signal signal);
}
