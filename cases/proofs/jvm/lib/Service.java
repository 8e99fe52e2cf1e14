package lib;

/** What every proof has in common: a service that is alive at the end, and holds what was loaded. */
public final class Service {
    private static Object data;

    private Service() {}

    /** Loads what a service works on. */
    @FunctionalInterface
    public interface Load {
        Object load(Random random, int count);
    }

    /** Loads the data and holds it until the end. The argument is the number of items, and the seed, too. */
    public static void serve(String[] arguments, Load load) {
        int count = Integer.parseInt(arguments[0]);
        data = load.load(new Random(count), count);
        if (data == null) {
            throw new IllegalStateException("nothing was loaded");
        }
    }
}
