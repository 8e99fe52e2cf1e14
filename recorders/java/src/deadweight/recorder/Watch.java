package deadweight.recorder;

import java.io.File;

/** A thread that looks now and then: at full collections, at thresholds, and for the highest moment. */
final class Watch extends Thread {
    private static final long LOOK_MS = 100;
    private static final long LOOK_FOR_HIGHEST_MS = 20;
    /** Collecting for the highest moment takes no more than this share of the time, and so many seconds. */
    private static final double SHARE = 0.5;

    private static final double BUDGET = 2;
    /** A look for the highest moment is taken when so much more is there. */
    private static final long FIRST = 8000000;

    private static final double MORE = 1.03;
    private static final double CLIMB = 1.5;
    /** Near the highest moment a better capture takes the place of the one before, so many times at most. */
    private static final double BETTER = 1.03;

    private static final int MOST_TAKEN = 2;

    private final Triggers triggers;
    private final Settings settings;
    private final Machine machine;
    private final long started = System.nanoTime();
    private final boolean measures;
    private final boolean climbs;
    private double next;
    private long most;
    private int taken;
    private long spent;

    Watch(Triggers triggers) {
        super("deadweight");
        setDaemon(true);
        this.triggers = triggers;
        this.settings = triggers.settings;
        this.machine = triggers.machine;
        measures = settings.highest.equals("measure");
        climbs = settings.highest.equals("climb");
        next = measures || climbs || settings.highest.isEmpty() ? FIRST : Long.parseLong(settings.highest);
    }

    @Override
    public void run() {
        try {
            askForDumpWhenOutOfMemory();
            boolean seeks = !settings.highest.isEmpty();
            long pause = seeks ? LOOK_FOR_HIGHEST_MS : LOOK_MS;
            if (!settings.thresholds.isEmpty()) {
                pause = Math.min(pause, settings.poll);
            }
            while (true) {
                // A capture collects garbage itself.
                long held = triggers.isBusy() ? -1 : machine.afterFull();
                if (held >= 0) {
                    triggers.curve.add(held);
                }
                if (seeks && !isOverBudget()) {
                    lookForHighest();
                }
                if (!settings.thresholds.isEmpty() && !measures) {
                    lookAtThresholds();
                }
                Thread.sleep(pause);
            }
        } catch (NoClassDefFoundError error) {
            // Said when a capture is to be taken.
        } catch (InterruptedException end) {
            // Nobody does that but a program that ends.
        } catch (Throwable error) {
            Files.say("what is held over time is no longer noted", error);
        }
    }

    /** The machine writes it by itself, with all that is there, before the program hears of it. */
    private void askForDumpWhenOutOfMemory() {
        if (!settings.snapshot || measures) {
            return;
        }
        File file = new File(settings.directory, settings.program + "-" + settings.pid + "-limit-1.hprof");
        if (machine.setOption("HeapDumpPath", file.getPath())
                && machine.setOption("HeapDumpOnOutOfMemoryError", "true")) {
            triggers.outOfMemory = file;
            Files.note(settings.journal, "limit " + settings.pid + " " + settings.program + " " + settings.directory);
        }
    }

    private boolean isOverBudget() {
        return spent / 1e9 > BUDGET + (System.nanoTime() - started) / 1e9 * SHARE;
    }

    /** Garbage is collected when more is there than ever, as only then it is known what is held. */
    private void lookForHighest() throws ReflectiveOperationException {
        if (machine.used() < next) {
            return;
        }
        long before = System.nanoTime();
        long kept = machine.collect();
        spent += System.nanoTime() - before;
        if (measures) {
            most = Math.max(most, kept);
            next = Math.max(FIRST, most * MORE);
            Files.note(settings.journal, "highest " + settings.pid + " " + most);
        } else if (kept >= next) {
            taken++;
            next = !climbs && taken == MOST_TAKEN ? Double.MAX_VALUE : kept * (climbs ? CLIMB : BETTER);
            triggers.takeHighest();
        }
    }

    private void lookAtThresholds() {
        StringBuilder due = new StringBuilder();
        for (Settings.Threshold threshold : settings.thresholds) {
            if (threshold.fired) {
                continue;
            }
            long now = measured(threshold.measure);
            if (now > threshold.highest) {
                threshold.highest = now;
                Files.note(settings.journal, threshold.measure + " " + now);
            }
            if (now > threshold.bytes) {
                threshold.fired = true;
                due.append(due.length() == 0 ? "" : ",").append(threshold.measure).append('>').append(threshold.bytes);
            }
        }
        if (due.length() > 0) {
            triggers.take("threshold", due.toString(), null);
        }
    }

    private long measured(String measure) {
        if (measure.equals("rss")) {
            return Files.memory("VmRSS");
        }
        return measure.equals("heap") ? machine.used() : machine.direct();
    }
}
