package d03.prices;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lib.Random;
import lib.Service;

record Item(int id, BigDecimal price) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Item> load(Random random, int count) {
        Map<BigDecimal, BigDecimal> known = new HashMap<>();
        List<Item> items = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            BigDecimal price = new BigDecimal(random.pick("0.99", "1.99", "2.49", "4.99", "9.99"));
            items.add(new Item(id, known.computeIfAbsent(price, same -> same)));
        }
        return items;
    }
}
