package d03.bitsets;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import lib.Random;
import lib.Service;

record User(int id, BitSet rights) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<User> load(Random random, int count) {
        List<User> users = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            users.add(new User(id, rights(id % 30)));
        }
        return users;
    }

    private static BitSet rights(int role) {
        BitSet rights = new BitSet(512);
        rights.set(role, 2 * role + 1);
        return rights;
    }
}
