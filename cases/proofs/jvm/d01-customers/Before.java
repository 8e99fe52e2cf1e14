package d01.customers;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Order(int number, String customer, long cents) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Order> load(Random random, int count) {
        List<Order> orders = new ArrayList<>(count);
        for (String line : Input.lines(random, count)) {
            String[] words = line.split(";");
            orders.add(new Order(Integer.parseInt(words[0]), words[1], Long.parseLong(words[2])));
        }
        return orders;
    }
}
