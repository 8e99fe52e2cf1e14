package d01.customers;

import java.util.ArrayList;
import java.util.List;
import lib.Random;

/** Lines of a file of orders. */
final class Input {
    private Input() {}

    static List<String> lines(Random random, int count) {
        String[] customers = random.words(Math.max(count / 50, 1));
        List<String> lines = new ArrayList<>(count);
        for (int number = 0; number < count; number++) {
            lines.add(number + ";" + random.pick(customers) + " Ltd.;" + random.integer(100, 1_000_000));
        }
        return lines;
    }
}
