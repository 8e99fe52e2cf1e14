package c03.maps;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lib.Random;
import lib.Service;

record Entry(int id, Map<String, Integer> notes) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Map<String, Integer> notes = new HashMap<>();
            for (int word = random.integer(2, 4); word > 0; word--) {
                notes.put(random.word(), word);
            }
            entries.add(new Entry(id, notes));
        }
        return entries;
    }
}
