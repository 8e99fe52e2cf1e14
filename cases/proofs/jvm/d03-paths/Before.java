package d03.paths;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Line(int number, Path file) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Line> load(Random random, int count) {
        List<Line> lines = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            lines.add(new Line(id, file(id % 60)));
        }
        return lines;
    }

    private static Path file(int number) {
        return Path.of("/var/log/application", "day" + number + ".log");
    }
}
