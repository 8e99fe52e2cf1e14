package d01.customers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, String> customers = new HashMap<>();
        for (String line : Input.lines(random, count)) {
            String[] words = line.split(";");
            String customer = customers.computeIfAbsent(words[1], name -> name);
            orders.add(new Order(Integer.parseInt(words[0]), customer, Long.parseLong(words[2])));
        }
        return orders;
    }
}
