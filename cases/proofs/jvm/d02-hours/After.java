package d02.hours;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import lib.Random;
import lib.Service;

record Shop(int number, int[] hours) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Map<Integer, Shop> load(Random random, int count) {
        Map<Integer, Shop> shops = new HashMap<>();
        Map<Integer, int[]> known = new HashMap<>();
        for (int number = 0; number < count; number++) {
            int[] hours = new int[14];
            int opens = random.integer(6, 10);
            for (int day = 0; day < 7; day++) {
                hours[2 * day] = opens;
                hours[2 * day + 1] = day < 6 ? 20 : 13;
            }
            shops.put(number, new Shop(number, known.computeIfAbsent(Arrays.hashCode(hours), hash -> hours)));
        }
        return shops;
    }
}
