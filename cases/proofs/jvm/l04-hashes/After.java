package l04.hashes;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Block(int height, long high, long low) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Block> load(Random random, int count) {
        List<Block> blocks = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            blocks.add(new Block(id, random.wide(), random.wide()));
        }
        return blocks;
    }
}
