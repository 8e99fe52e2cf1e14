package d03.visits;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import lib.Random;
import lib.Service;

record Visit(int id, LocalDate day) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Map<Integer, Visit> load(Random random, int count) {
        Map<Integer, Visit> visits = new LinkedHashMap<>();
        for (int id = 0; id < count; id++) {
            String day = "2024-05-" + random.integer(10, 31);
            visits.put(id, new Visit(id, LocalDate.parse(day)));
        }
        return visits;
    }
}
