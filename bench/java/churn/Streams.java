import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Streams with boxed numbers, groups and sorted lists. */
public class Streams {
    record Order(int customer, double price, String city) {}

    public static void main(String[] arguments) {
        List<Order> orders =
                IntStream.range(0, 50_000).mapToObj(i -> new Order(i % 900, i % 77 * 1.5, "city " + i % 30)).toList();
        double sum = 0;
        for (int round = 0; round < 900; round++) {
            Map<String, Double> byCity =
                    orders.stream().collect(Collectors.groupingBy(Order::city, Collectors.summingDouble(Order::price)));
            List<Order> dear = orders.stream().filter(order -> order.price() > 50).sorted(Comparator.comparing(Order::price)).toList();
            Map<Integer, List<Order>> byCustomer = dear.stream().collect(Collectors.groupingBy(Order::customer));
            sum += byCity.size() + byCustomer.values().stream().mapToInt(List::size).max().getAsInt();
        }
        System.out.println(sum);
    }
}
