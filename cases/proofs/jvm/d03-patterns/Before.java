package d03.patterns;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import lib.Random;
import lib.Service;

record Rule(int id, Pattern pattern) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Rule> load(Random random, int count) {
        List<Rule> rules = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            rules.add(new Rule(id, Pattern.compile(text(id))));
        }
        return rules;
    }

    private static String text(int id) {
        return "^(GET|POST) /api/v" + id % 20 + "/.*$";
    }
}
