package l03.scores;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

/** Scores of games. */

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Integer[]> load(Random random, int count) {
        List<Integer[]> series = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Integer[] values = new Integer[random.integer(20, 60)];
            for (int at = 0; at < values.length; at++) {
                values[at] = random.integer(1_000, 90_000);
            }
            series.add(values);
        }
        return series;
    }
}
