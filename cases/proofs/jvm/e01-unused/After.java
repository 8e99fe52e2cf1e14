package e01.unused;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Edge {
    final int from;
    final int to;
    short[] uses;

    Edge(int from, int to) {
        this.from = from;
        this.to = to;
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Edge> load(Random random, int count) {
        List<Edge> edges = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            edges.add(new Edge(id, random.integer(0, count)));
        }
        return edges;
    }
}
