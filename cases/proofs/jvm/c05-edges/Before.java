package c05.edges;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Graph(List<int[]> edges) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Graph load(Random random, int count) {
        List<int[]> edges = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            edges.add(new int[] {at, random.integer(0, count), random.integer(0, 1000)});
        }
        return new Graph(edges);
    }
}
