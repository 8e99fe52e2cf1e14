package l09.counters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import lib.Random;
import lib.Service;

final class Route {
    private static final AtomicLongFieldUpdater<Route> BYTES = AtomicLongFieldUpdater.newUpdater(Route.class, "bytes");
    private static final AtomicIntegerFieldUpdater<Route> CALLS =
            AtomicIntegerFieldUpdater.newUpdater(Route.class, "calls");
    private static final AtomicReferenceFieldUpdater<Route, Route> SLOWER =
            AtomicReferenceFieldUpdater.newUpdater(Route.class, Route.class, "slower");

    final int number;
    private volatile long bytes;
    private volatile int calls;
    private volatile boolean open;
    private volatile Route slower;

    Route(int number) {
        this.number = number;
    }

    void call(int size, Route other) {
        BYTES.addAndGet(this, size);
        CALLS.incrementAndGet(this);
        open = true;
        SLOWER.compareAndSet(this, null, other);
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Route> load(Random random, int count) {
        List<Route> routes = new ArrayList<>(count);
        for (int number = 0; number < count; number++) {
            routes.add(new Route(number));
        }
        for (Route route : routes) {
            route.call(random.integer(100, 900_000), routes.get(random.integer(0, count - 1)));
        }
        return routes;
    }
}
