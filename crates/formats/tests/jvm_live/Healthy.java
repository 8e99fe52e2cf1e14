import java.lang.ref.WeakReference;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Objects as a careful team would keep them: nothing of it could be smaller for the same work. */
public class Healthy {
    static final int MANY = 30_000;

    interface Pricing { long of(long base); }
    static final class Full implements Pricing { public long of(long base) { return base; } }
    static final class Half implements Pricing { public long of(long base) { return base / 2; } }

    enum State { OPEN, FILLED, CANCELLED }

    static final class Item {
        final int id;
        final long price;
        final String name;
        final Pricing pricing;
        final State state;
        /** Items are locked one by one. */
        final Object lock = new Object();
        Item(int id, long price, String name, Pricing pricing, State state) {
            this.id = id; this.price = price; this.name = name; this.pricing = pricing; this.state = state;
        }
    }

    static final Map<String, Item> byName = new HashMap<>();
    static final Map<String, List<Item>> byGroup = new ConcurrentHashMap<>();
    static final List<WeakReference<Item>> recent = new ArrayList<>(MANY);
    static final TreeMap<Long, Item> byPrice = new TreeMap<>();
    static final ArrayDeque<Item> queue = new ArrayDeque<>(MANY);
    static final double[][] matrix = new double[200][200];

    public static void main(String[] args) throws Exception {
        Random random = new Random(7);
        Pricing full = new Full(), half = new Half();
        State[] states = State.values();
        for (int i = 0; i < MANY; i++) {
            // Each other one has a strategy of its own, as a factory makes it.
            Pricing pricing = i % 2 == 0 ? new Half() : random.nextBoolean() ? full : half;
            Item item = new Item(i, random.nextLong(), "item number " + i, pricing, states[i % 3]);
            byName.put(item.name, item);
            byPrice.put(item.price, item);
            recent.add(new WeakReference<>(item));
            queue.add(item);
            byGroup.computeIfAbsent("group " + i / 8, key -> new ArrayList<>(8)).add(item);
        }
        for (double[] row : matrix) for (int i = 0; i < row.length; i++) row[i] = random.nextDouble();
        Proofs.write(args[0]);
        if (byName.isEmpty() || recent.isEmpty()) throw new IllegalStateException();
    }
}
