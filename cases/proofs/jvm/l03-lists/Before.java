package l03.lists;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Player {
    private final String name;
    private final List<Integer> scores;

    Player(String name, List<Integer> scores) {
        this.name = name;
        this.scores = scores;
    }

    @Override
    public String toString() {
        return name + " " + scores.size();
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Player> load(Random random, int count) {
        List<Player> players = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            List<Integer> scores = new ArrayList<>();
            for (int game = random.integer(20, 60); game > 0; game--) {
                scores.add(random.integer(1_000, 90_000));
            }
            players.add(new Player("player " + id, scores));
        }
        return players;
    }
}
