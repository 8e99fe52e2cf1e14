package l03.samples;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

/** Samples of sensors. */

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<double[]> load(Random random, int count) {
        List<double[]> series = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            double[] values = new double[random.integer(20, 60)];
            for (int at = 0; at < values.length; at++) {
                values[at] = random.unit();
            }
            series.add(values);
        }
        return series;
    }
}
