import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A heap of many orders, written as the machine writes it: {@code java Jvm ORDERS FILE}. */
public final class Jvm {
    enum State {
        OPEN,
        PAID,
        SHIPPED,
        RETURNED
    }

    static final class Product {
        final int id;
        final String name;
        final double price;
        final byte[] picture;

        Product(int id, Random random) {
            this.id = id;
            name = "product " + text(random, 12);
            price = random.nextInt(100_000) / 100.0;
            picture = new byte[64];
            random.nextBytes(picture);
        }
    }

    static final class Customer {
        final long id;
        final String name;
        final String mail;
        final String country;
        final List<Order> orders = new ArrayList<>();

        Customer(long id, Random random) {
            this.id = id;
            name = text(random, 14);
            mail = name + "@mail.example";
            country = new String(COUNTRIES[random.nextInt(COUNTRIES.length)]);
        }
    }

    static final class Line {
        final Product product;
        final Integer quantity;
        final Long cents;
        final String note;

        Line(Product product, Random random) {
            this.product = product;
            quantity = random.nextInt(1000);
            cents = 1000L + random.nextInt(1_000_000);
            note = random.nextInt(8) == 0 ? "gift for " + text(random, 8) : null;
        }
    }

    static final class Order {
        final long number;
        final Customer customer;
        final State state;
        final LocalDate placed;
        final String street;
        final String city;
        final List<Line> lines = new ArrayList<>();
        final Map<String, Object> attributes = new HashMap<>();
        final int[] scans;
        final Map<Integer, Double> discounts;
        String remark;

        Order(long number, Customer customer, List<Product> products, Random random) {
            this.number = number;
            this.customer = customer;
            state = State.values()[random.nextInt(4)];
            placed = LocalDate.ofEpochDay(18_000 + random.nextInt(2000));
            street = random.nextInt(300) + " " + text(random, 14);
            // As rows of a database come: each with a text of its own.
            city = new String(CITIES[random.nextInt(CITIES.length)]);
            for (int n = 1 + random.nextInt(6); n > 0; n--) {
                lines.add(new Line(products.get(random.nextInt(products.size())), random));
            }
            attributes.put("channel", new String(CHANNELS[random.nextInt(CHANNELS.length)]));
            attributes.put("weight", (double) random.nextInt(10_000));
            attributes.put("session", text(random, 20));
            scans = new int[random.nextInt(12)];
            for (int at = 0; at < scans.length; at++) {
                scans[at] = random.nextInt();
            }
            discounts = new HashMap<>();
            if (random.nextInt(4) == 0) {
                discounts.put(random.nextInt(10_000), random.nextInt(100) / 100.0);
            }
        }
    }

    static final String[] COUNTRIES = {"Austria", "Brazil", "Canada", "Denmark", "Estonia", "France"};
    static final String[] CHANNELS = {"web", "shop", "telephone", "partner"};
    static final String[] CITIES = new String[400];

    static List<Product> products = new ArrayList<>();
    static Map<Long, Customer> customers = new HashMap<>();
    static Map<Long, Order> orders = new HashMap<>();

    static String text(Random random, int length) {
        StringBuilder made = new StringBuilder(length);
        for (int n = 0; n < length; n++) {
            made.append((char) ('a' + random.nextInt(26)));
        }
        return made.toString();
    }

    public static void main(String[] arguments) throws Exception {
        long count = Long.parseLong(arguments[0]);
        Random random = new Random(20261);
        for (int city = 0; city < CITIES.length; city++) {
            CITIES[city] = "city of " + text(random, 9);
        }
        for (int id = 0; id < 2000; id++) {
            products.add(new Product(id, random));
        }
        for (long id = 0; id < count / 5 + 1; id++) {
            customers.put(id, new Customer(id, random));
        }
        for (long number = 0; number < count; number++) {
            Customer customer = customers.get((long) random.nextInt(customers.size()));
            Order order = new Order(number, customer, products, random);
            if (random.nextInt(10) == 0) {
                order.remark = "please " + text(random, 30);
            }
            customer.orders.add(order);
            orders.put(number, order);
        }
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(arguments[1], true);
    }
}
