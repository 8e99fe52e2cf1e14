import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Eight threads that hold the same texts in a local variable of one method. */
class Threads {
    static final CountDownLatch ready = new CountDownLatch(8);
    static final CountDownLatch done = new CountDownLatch(1);

    static void work() {
        List<String> texts = new ArrayList<>();
        for (int at = 0; at < 1000; at++) {
            texts.add("text " + at % 100);
        }
        ready.countDown();
        try {
            done.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        System.out.println(texts.size());
    }

    public static void main(String[] arguments) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            Thread thread = new Thread(Threads::work);
            thread.start();
            threads.add(thread);
        }
        ready.await();
        Layouts.write(arguments[0]);
        done.countDown();
        for (Thread thread : threads) thread.join();
    }
}
