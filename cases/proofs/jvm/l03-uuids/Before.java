package l03.uuids;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import lib.Random;
import lib.Service;

record Trade(int number, String id) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Trade> load(Random random, int count) {
        List<Trade> trades = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            trades.add(new Trade(id, new UUID(random.wide(), random.wide()).toString()));
        }
        return trades;
    }
}
