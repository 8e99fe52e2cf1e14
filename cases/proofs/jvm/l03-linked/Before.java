package l03.linked;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Entry {
    private final int id;
    private final List<Integer> values;

    Entry(int id, List<Integer> values) {
        this.id = id;
        this.values = values;
    }

    @Override
    public String toString() {
        return id + " " + values;
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            List<Integer> values = new LinkedList<>();
            for (int at = 0; at < 24 + id % 40; at++) {
                values.add(random.integer(1_000, 1_000_000_000));
            }
            entries.add(new Entry(id, values));
        }
        return entries;
    }
}
