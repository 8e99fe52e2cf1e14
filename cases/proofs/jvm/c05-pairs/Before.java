package c05.pairs;

import lib.Random;
import lib.Service;

record Words(String[][] pairs) {}

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
        String[][] pairs = new String[count][];
        for (int at = 0; at < count; at++) {
            pairs[at] = new String[] {random.pick(words), random.pick(words)};
        }
        return new Words(pairs);
    }
}
