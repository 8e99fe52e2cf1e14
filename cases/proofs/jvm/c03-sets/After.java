package c03.sets;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lib.Random;
import lib.Service;

record Entry(int id, Set<String> notes) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Set<String> notes = new HashSet<>();
            for (int word = random.integer(2, 4); word > 0; word--) {
                notes.add(random.word());
            }
            entries.add(new Entry(id, notes));
        }
        return entries;
    }
}
