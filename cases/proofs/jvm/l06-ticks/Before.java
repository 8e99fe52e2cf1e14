package l06.ticks;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Tick(long time, int price, short size, boolean isBuy) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Tick> load(Random random, int count) {
        List<Tick> ticks = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            ticks.add(new Tick(random.moment(), random.integer(1, 1_000_000), (short) random.integer(1, 30_000), random.chance(0.5)));
        }
        return ticks;
    }
}
