package d01.states;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import lib.Random;
import lib.Service;

final class Tracker {
    final Map<Long, String> states = new ConcurrentHashMap<>();

    void on(long parcel, String message) {
        states.put(parcel, message.substring(message.indexOf(' ') + 1));
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Tracker load(Random random, int count) {
        Tracker tracker = new Tracker();
        for (long parcel = 0; parcel < count; parcel++) {
            tracker.on(parcel, parcel + " " + random.pick("accepted", "in transit", "at the customs", "delivered"));
        }
        return tracker;
    }
}
