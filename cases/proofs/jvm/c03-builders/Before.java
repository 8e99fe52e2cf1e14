package c03.builders;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Entry(int id, StringBuilder notes) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            StringBuilder notes = new StringBuilder();
            for (int word = random.integer(4, 9); word > 0; word--) {
                notes.append(random.word()).append(' ');
            }
            entries.add(new Entry(id, notes));
        }
        return entries;
    }
}
