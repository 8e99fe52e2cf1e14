package d03.days;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import lib.Random;
import lib.Service;

record Task(int id, List<Integer> days) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Task> load(Random random, int count) {
        List<Task> tasks = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            List<Integer> days = new LinkedList<>();
            for (int day = 1; day <= random.integer(1, 3); day++) {
                days.add(day);
            }
            tasks.add(new Task(id, days));
        }
        return tasks;
    }
}
