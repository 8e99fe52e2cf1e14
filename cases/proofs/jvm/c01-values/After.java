package c01.values;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lib.Random;
import lib.Service;

final class Index {
    private final Map<Integer, List<String>> byCustomer = new HashMap<>();

    void customer(int id, boolean hasOrders, Random random) {
        if (hasOrders) {
            byCustomer.computeIfAbsent(id, key -> new ArrayList<>()).add(random.word());
        }
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Index load(Random random, int count) {
        Index index = new Index();
        for (int id = 0; id < count; id++) {
            index.customer(1_000 + id, random.chance(0.15), random);
        }
        return index;
    }
}
