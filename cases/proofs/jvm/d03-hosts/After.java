package d03.hosts;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Visit(int id, InetAddress host) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Visit> load(Random random, int count) {
        InetAddress[] known = new InetAddress[40];
        List<Visit> visits = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            int number = id % 40;
            if (known[number] == null) {
                known[number] = host(number);
            }
            visits.add(new Visit(id, known[number]));
        }
        return visits;
    }

    private static InetAddress host(int number) {
        try {
            return InetAddress.getByAddress("host" + number, new byte[] {10, 0, (byte) number, 1});
        } catch (UnknownHostException error) {
            throw new IllegalStateException(error);
        }
    }
}
