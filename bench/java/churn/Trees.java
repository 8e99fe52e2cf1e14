import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Maps of records, and trees that are built and walked by recursion. */
public class Trees {
    record Node(Node left, Node right, int value) {
        static Node of(int depth, int value) {
            return depth == 0 ? new Node(null, null, value) : new Node(of(depth - 1, 2 * value), of(depth - 1, 2 * value + 1), value);
        }

        long sum() {
            return value + (left == null ? 0 : left.sum() + right.sum());
        }
    }

    public static void main(String[] arguments) {
        long sum = 0;
        for (int round = 0; round < 2000; round++) {
            sum += Node.of(14, 1).sum();
            Map<Integer, Node> byNumber = new HashMap<>();
            Map<String, Integer> byName = new TreeMap<>();
            for (int i = 0; i < 8000; i++) {
                byNumber.put(i * 7, new Node(null, null, i));
                byName.merge("key " + i % 1000, i, Integer::sum);
            }
            sum += byNumber.size() + byName.size();
        }
        System.out.println(sum);
    }
}
