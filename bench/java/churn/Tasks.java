import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Small tasks of a pool of threads, each with buffers and deep calls of its own. */
public class Tasks {
    static int deep(int depth, byte[] buffer) {
        return depth == 0 ? new String(buffer, 0, 64).hashCode() : deep(depth - 1, buffer) + depth;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        long sum = 0;
        for (int round = 0; round < 800; round++) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                int number = i;
                answers.add(pool.submit(() -> {
                    byte[] buffer = new byte[4096];
                    buffer[number % 64] = 1;
                    return deep(60, buffer) + deep(30, buffer);
                }));
            }
            for (Future<Integer> answer : answers) sum += answer.get();
        }
        pool.shutdown();
        System.out.println(sum);
    }
}
