package c03.lists;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Entry(int id, ArrayList<String> notes) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            ArrayList<String> notes = new ArrayList<>();
            for (int word = random.integer(1, 3); word > 0; word--) {
                notes.add(random.word());
            }
            notes.trimToSize();
            entries.add(new Entry(id, notes));
        }
        return entries;
    }
}
