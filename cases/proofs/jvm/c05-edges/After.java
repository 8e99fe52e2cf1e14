package c05.edges;

import lib.Random;
import lib.Service;

record Graph(int[] edges) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Graph load(Random random, int count) {
        int[] edges = new int[3 * count];
        for (int at = 0; at < count; at++) {
            edges[3 * at] = at;
            edges[3 * at + 1] = random.integer(0, count);
            edges[3 * at + 2] = random.integer(0, 1000);
        }
        return new Graph(edges);
    }
}
