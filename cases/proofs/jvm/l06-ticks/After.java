package l06.ticks;

import lib.Random;
import lib.Service;

record Ticks(long[] time, int[] price, short[] size, boolean[] isBuy) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Ticks load(Random random, int count) {
        Ticks ticks = new Ticks(new long[count], new int[count], new short[count], new boolean[count]);
        for (int at = 0; at < count; at++) {
            ticks.time()[at] = random.moment();
            ticks.price()[at] = random.integer(1, 1_000_000);
            ticks.size()[at] = (short) random.integer(1, 30_000);
            ticks.isBuy()[at] = random.chance(0.5);
        }
        return ticks;
    }
}
