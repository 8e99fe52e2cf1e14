package c01.maps;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lib.Random;
import lib.Service;

final class Entry {
    private final int id;
    private Map<String, String> notes;

    Entry(int id) {
        this.id = id;
    }

    void note(String word) {
        if (notes == null) {
            notes = new HashMap<>();
        }
        notes.put(word, word);
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
