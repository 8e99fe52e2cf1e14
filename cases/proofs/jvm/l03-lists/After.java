package l03.lists;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

final class Player {
    private final String name;
    private final int[] scores;

    Player(String name, int[] scores) {
        this.name = name;
        this.scores = scores;
    }

    @Override
    public String toString() {
        return name + " " + scores.length;
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
            int[] scores = new int[random.integer(20, 60)];
            for (int game = 0; game < scores.length; game++) {
                scores[game] = random.integer(1_000, 90_000);
            }
            players.add(new Player("player " + id, scores));
        }
        return players;
    }
}
