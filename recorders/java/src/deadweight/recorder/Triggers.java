package deadweight.recorder;

import java.io.File;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** When a capture is taken: at the end, at a signal, and by what {@link Watch} sees. */
final class Triggers {
    final Settings settings;
    final Machine machine;
    final Curve curve;
    private final Capture capture;
    private final Thread main = Thread.currentThread();
    private final AtomicBoolean busy = new AtomicBoolean();
    /** The latest capture of the way up. */
    private File highest;
    /** Where the machine writes its dump when it runs out of memory; null where it writes none, or elsewhere. */
    volatile File outOfMemory;

    private Triggers(Settings settings, Machine machine) {
        this.settings = settings;
        this.machine = machine;
        this.curve = new Curve(settings);
        this.capture = new Capture(settings, machine, curve);
    }

    static void arm(Settings settings, Machine machine) {
        Triggers triggers = new Triggers(settings, machine);
        if (settings.signal && !"measure".equals(settings.highest)) {
            try {
                OnSignal.arm(triggers);
            } catch (LinkageError none) {
                Files.say("SIGUSR2 captures nothing: `--add-modules jdk.unsupported` adds the module it needs", null);
            }
        }
        Runtime.getRuntime().addShutdownHook(new End(triggers));
        new Watch(triggers).start();
        triggers.capture.record(Churn.start(settings, machine));
    }

    /** Takes a capture, unless one is being taken. */
    File take(String reason, String trigger, Boolean mainReturned) {
        if (!busy.compareAndSet(false, true)) {
            return null;
        }
        try {
            return takeNow(reason, trigger, mainReturned);
        } finally {
            busy.set(false);
        }
    }

    private File takeNow(String reason, String trigger, Boolean mainReturned) {
        try {
            return capture.take(reason, trigger, mainReturned);
        } catch (Throwable error) {
            Files.say("no capture was written", error);
        }
        return null;
    }

    boolean isBusy() {
        return busy.get();
    }

    /** On the way up the last one is the highest. */
    void takeHighest() {
        File before = highest;
        File now = take("peak", "peak", null);
        if (now != null) {
            highest = now;
            if (before != null) {
                Files.remove(before);
            }
        }
    }

    /** What is left to do when the program ends. */
    private static final class End extends Thread {
        private final Triggers triggers;

        End(Triggers triggers) {
            super("deadweight at the end");
            this.triggers = triggers;
        }

        @Override
        public void run() {
            triggers.end();
        }
    }

    private void end() {
        Settings settings = this.settings;
        Files.note(settings.journal, "peak " + Files.memory("VmHWM"));
        if (!settings.exit || "measure".equals(settings.highest) || highest != null) {
            return;
        }
        // The dump of the moment at which memory ran out shows what was wanted.
        File written = outOfMemory;
        if (written != null && written.length() > 0) {
            return;
        }
        busy.set(true);
        // What goes on is waited for: this is the last occasion.
        takeNow("exit", "exit", hasMainReturned());
    }

    /** Whether the machine ends because main and all other threads have, and not at a call of exit or a signal. */
    private boolean hasMainReturned() {
        if (main.isAlive()) {
            return false;
        }
        for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
            if (!thread.getKey().getName().equals("DestroyJavaVM")) {
                continue;
            }
            for (StackTraceElement frame : thread.getValue()) {
                if (frame.getClassName().equals("java.lang.Shutdown")) {
                    return true;
                }
            }
        }
        return false;
    }
}
