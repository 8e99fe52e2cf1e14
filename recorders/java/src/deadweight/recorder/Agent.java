package deadweight.recorder;

import java.lang.instrument.Instrumentation;

/** Loaded before the program's main by -javaagent. Arms the triggers; whatever goes wrong, the program goes on. */
public final class Agent {
    private Agent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        try {
            Settings settings = Settings.read();
            if (settings != null) {
                Triggers.arm(settings, new Machine(instrumentation));
            }
        } catch (NoClassDefFoundError error) {
            // A program of modules has those alone that it names.
            Files.say(
                    "the recorder is not loaded: it needs the module jdk.management, which `--add-modules jdk.management` "
                            + "adds; `deadweight attach` needs none",
                    error);
        } catch (Throwable error) {
            Files.say("the recorder is not loaded", error);
        }
    }
}
