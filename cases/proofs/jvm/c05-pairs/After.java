package c05.pairs;

import lib.Random;
import lib.Service;

record Words(String[] flat) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static Words load(Random random, int count) {
        String[] words = new String[count / 5];
        for (int at = 0; at < words.length; at++) {
            words[at] = random.word() + at;
        }
        String[] flat = new String[2 * count];
        for (int at = 0; at < flat.length; at++) {
            flat[at] = random.pick(words);
        }
        return new Words(flat);
    }
}
