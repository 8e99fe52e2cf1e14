package e01.counters;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Endpoint {
    private final String path;
    private final int[] buckets = new int[96];

    Endpoint(String path) {
        this.path = path;
    }

    void count(int bucket) {
        buckets[bucket]++;
    }

    @Override
    public String toString() {
        return path + " " + buckets.length;
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Endpoint> load(Random random, int count) {
        List<Endpoint> endpoints = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Endpoint endpoint = new Endpoint("/" + random.word());
            if (random.chance(0.1)) {
                endpoint.count(random.integer(0, 95));
            }
            endpoints.add(endpoint);
        }
        return endpoints;
    }
}
