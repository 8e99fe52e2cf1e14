package c03.vectors;

import java.util.ArrayList;
import java.util.List;
import java.util.Vector;
import lib.Random;
import lib.Service;

record Entry(int id, Vector<String> notes) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Vector<String> notes = new Vector<>();
            for (int word = random.integer(1, 3); word > 0; word--) {
                notes.add(random.word());
            }
            entries.add(new Entry(id, notes));
        }
        return entries;
    }
}
