package l02.trees;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import lib.Random;
import lib.Service;

/** Rows of a table as they come from a database. */

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Map<String, Object>> load(Random random, int count) {
        List<Map<String, Object>> rows = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            rows.add(row("row " + id, random.integer(1_000, 90_000), random.unit()));
        }
        return rows;
    }

    private static Map<String, Object> row(String name, int amount, double share) {
        Map<String, Object> row = new TreeMap<>();
        row.put("name", name);
        row.put("amount", amount);
        row.put("share", share);
        return row;
    }
}
