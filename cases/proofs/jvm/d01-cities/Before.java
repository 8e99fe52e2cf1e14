package d01.cities;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

/** A table of rows as they were read. */

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<String[]> load(Random random, int count) {
        List<String[]> rows = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            String city = random.pick("Новосибирск", "Екатеринбург", "Владивосток", "Калининград") + ", " + random.integer(1, 40);
            rows.add(new String[] {"row " + id, city});
        }
        return rows;
    }
}
