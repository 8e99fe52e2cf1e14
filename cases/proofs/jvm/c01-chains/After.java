package c01.chains;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Entry {
    private final int id;
    private List<String> notes;

    Entry(int id) {
        this.id = id;
    }

    void note(String word) {
        if (notes == null) {
            notes = new LinkedList<>();
        }
        notes.add(word);
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
            Entry entry = new Entry(id);
            if (random.chance(0.1)) {
                entry.note(random.word());
            }
            entries.add(entry);
        }
        return entries;
    }
}
