package l03.linked;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lib.Random;
import lib.Service;

final class Entry {
    private final int id;
    private final int[] values;

    Entry(int id, int[] values) {
        this.id = id;
        this.values = values;
    }

    @Override
    public String toString() {
        return id + " " + Arrays.toString(values);
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
            int[] values = new int[24 + id % 40];
            for (int at = 0; at < values.length; at++) {
                values[at] = random.integer(1_000, 1_000_000_000);
            }
            entries.add(new Entry(id, values));
        }
        return entries;
    }
}
