import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Supplier;

/** Containers of the JDK, each class filled with 1 to 50 entries, after as many others were taken out again. */
class Queues {
    static final int MOST = 50;
    static final List<Object> held = new ArrayList<>();

    static void queues(Supplier<Queue<String>> made) {
        for (int size = 1; size <= MOST; size++) {
            Queue<String> queue = made.get();
            for (int at = 0; at < 2 * size; at++) queue.add("entry " + at);
            for (int at = 0; at < size; at++) queue.poll();
            held.add(queue);
        }
        System.out.println(made.get().getClass().getName() + " " + MOST * (MOST + 1) / 2);
    }

    static void maps(Supplier<Map<Object, String>> made) {
        for (int size = 1; size <= MOST; size++) {
            Map<Object, String> map = made.get();
            for (int at = 0; at < size; at++) {
                Object key = new Object();
                held.add(key);
                map.put(key, "entry " + at);
            }
            held.add(map);
        }
        System.out.println(made.get().getClass().getName() + " " + MOST * (MOST + 1) / 2);
    }

    public static void main(String[] arguments) throws Exception {
        queues(ConcurrentLinkedDeque::new);
        queues(ConcurrentLinkedQueue::new);
        queues(LinkedBlockingDeque::new);
        queues(LinkedBlockingQueue::new);
        queues(LinkedTransferQueue::new);
        queues(PriorityBlockingQueue::new);
        maps(() -> new ConcurrentSkipListMap<>(Comparator.comparingInt(System::identityHashCode)));
        maps(IdentityHashMap::new);
        maps(WeakHashMap::new);
        Layouts.write(arguments[0]);
    }
}
