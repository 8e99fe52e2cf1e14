package d03.times;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Reading(int id, LocalDateTime hour) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Reading> load(Random random, int count) {
        List<Reading> readings = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            String unit = random.pick("2024-05-01T10:00", "2024-05-01T11:00", "2024-05-01T12:00");
            readings.add(new Reading(id, LocalDateTime.parse(unit)));
        }
        return readings;
    }
}
