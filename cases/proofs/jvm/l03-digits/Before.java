package l03.digits;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Trade(int number, String account) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Trade> load(Random random, int count) {
        List<Trade> trades = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            trades.add(new Trade(id, Long.toString(10_000_000_000L + random.integer(0, 999_999_999))));
        }
        return trades;
    }
}
