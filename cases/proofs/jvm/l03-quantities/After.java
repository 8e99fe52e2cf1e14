package l03.quantities;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Trade(int number, long price, int quantity) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Trade> load(Random random, int count) {
        List<Trade> trades = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            trades.add(new Trade(id, random.integer(1_000, 900_000), random.integer(500, 90_000)));
        }
        return trades;
    }
}
