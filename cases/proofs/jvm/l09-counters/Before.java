package l09.counters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import lib.Random;
import lib.Service;

final class Route {
    final int number;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicBoolean open = new AtomicBoolean();
    private final AtomicReference<Route> slower = new AtomicReference<>();

    Route(int number) {
        this.number = number;
    }

    void call(int size, Route other) {
        bytes.addAndGet(size);
        calls.incrementAndGet();
        open.set(true);
        slower.compareAndSet(null, other);
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
