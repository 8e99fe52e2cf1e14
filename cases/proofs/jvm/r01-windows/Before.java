package r01.windows;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Packet(int number, ByteBuffer header, LongBuffer times) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Packet> load(Random random, int count) {
        List<Packet> packets = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            ByteBuffer received = ByteBuffer.wrap(random.bytes(16_000));
            long[] times = new long[500];
            for (int at = 0; at < times.length; at++) {
                times[at] = random.moment();
            }
            ByteBuffer header = received.slice(random.integer(0, 900), 40 + id % 50);
            if (id % 2 == 0) {
                header = header.asReadOnlyBuffer();
            }
            packets.add(new Packet(id, header, LongBuffer.wrap(times).slice(10, 3 + id % 4)));
        }
        return packets;
    }
}
