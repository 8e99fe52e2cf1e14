package l03.moments;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Trade(int number, Instant time) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Trade> load(Random random, int count) {
        List<Trade> trades = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            trades.add(new Trade(id, Instant.ofEpochMilli(random.moment())));
        }
        return trades;
    }
}
