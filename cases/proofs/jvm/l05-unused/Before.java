package l05.unused;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Node {
    final String label;
    Object attachment;
    List<Node> children;
    Node parent;
    Runnable listener;
    Node previous;

    Node(String label) {
        this.label = label;
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Node> load(Random random, int count) {
        List<Node> nodes = new ArrayList<>(count);
        Node last = null;
        for (int id = 0; id < count; id++) {
            Node node = new Node(random.word());
            node.previous = last;
            nodes.add(node);
            last = node;
        }
        return nodes;
    }
}
