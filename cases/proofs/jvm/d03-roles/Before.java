package d03.roles;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lib.Random;
import lib.Service;

record User(int id, Set<String> roles) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<User> load(Random random, int count) {
        List<User> users = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Set<String> roles = new HashSet<>();
            roles.add("reader");
            if (random.chance(0.4)) {
                roles.add("writer");
            }
            if (random.chance(0.1)) {
                roles.add("owner");
            }
            users.add(new User(id, roles));
        }
        return users;
    }
}
