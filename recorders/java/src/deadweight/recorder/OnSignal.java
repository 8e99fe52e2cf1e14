package deadweight.recorder;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Takes a capture at SIGUSR2. A class of its own: what it needs is not in every image of Java. */
final class OnSignal implements SignalHandler {
    /** The machine suspends threads by SIGUSR2, unless this names another signal. */
    private static final String SUSPENDS_BY = "_JAVA_SR_SIGNUM";

    private static final String SIGUSR2 = "12";

    private final Triggers triggers;

    private OnSignal(Triggers triggers) {
        this.triggers = triggers;
    }

    static void arm(Triggers triggers) {
        String moved = System.getenv(SUSPENDS_BY);
        if (moved == null || moved.equals(SIGUSR2)) {
            return;
        }
        try {
            Signal.handle(new Signal("USR2"), new OnSignal(triggers));
        } catch (IllegalArgumentException taken) {
            Files.say("SIGUSR2 captures nothing", taken);
        }
    }

    @Override
    public void handle(Signal signal) {
        triggers.take("signal", "SIGUSR2", null);
    }
}
