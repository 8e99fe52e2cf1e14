package l02.trees;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Row(String name, int amount, double share) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Row> load(Random random, int count) {
        List<Row> rows = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            rows.add(row("row " + id, random.integer(1_000, 90_000), random.unit()));
        }
        return rows;
    }

    private static Row row(String name, int amount, double share) {
        return new Row(name, amount, share);
    }
}
