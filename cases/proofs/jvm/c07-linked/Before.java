package c07.linked;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Entry {
    private final int id;
    private final List<String> notes;

    Entry(int id, List<String> notes) {
        this.id = id;
        this.notes = notes;
    }

    @Override
    public String toString() {
        return id + " " + notes;
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
            List<String> notes = new LinkedList<>();
            for (int at = 0; at < 4 + id % 9; at++) {
                notes.add(id + " " + random.word() + at);
            }
            entries.add(new Entry(id, notes));
        }
        return entries;
    }
}
