package book;

/** Who places orders, and what was traded in each hour of the day. */
public final class Account {
    private static final int HOURS = 24;

    private final String name;
    /** Null until something is traded: most accounts never do. */
    private long[] volumes;
    private long balance;

    public Account(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public long balance() {
        return balance;
    }

    /** Books what was bought (above 0) or sold (below 0) in an hour of the day. */
    public void book(int hour, long value, long fee) {
        if (volumes == null) {
            volumes = new long[HOURS];
        }
        balance -= value + fee;
        volumes[hour] += Math.abs(value);
    }

    public long volume() {
        long sum = 0;
        if (volumes == null) {
            return sum;
        }
        for (long volume : volumes) {
            sum += volume;
        }
        return sum;
    }
}
