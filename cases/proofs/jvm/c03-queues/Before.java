package c03.queues;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import lib.Random;
import lib.Service;

record Entry(int id, Deque<String> notes) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Entry> load(Random random, int count) {
        List<Entry> entries = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Deque<String> notes = new ArrayDeque<>();
            for (int word = random.integer(1, 3); word > 0; word--) {
                notes.add(random.word());
            }
            entries.add(new Entry(id, notes));
        }
        return entries;
    }
}
