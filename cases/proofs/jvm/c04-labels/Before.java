package c04.labels;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lib.Random;
import lib.Service;

record Entry(int id, Map<String, String> labels) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Map<String, String> labels = new HashMap<>();
            labels.put(random.word(), random.word());
            entries.add(new Entry(id, labels));
        }
        return entries;
    }
}
