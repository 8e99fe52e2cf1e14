package d03.addresses;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lib.Random;
import lib.Service;

record Address(String street, int number, String city) {}

record Person(String name, Address address) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Person> load(Random random, int count) {
        String[] streets = random.words(40);
        String[] cities = random.words(5);
        Map<String, Address> known = new HashMap<>();
        List<Person> people = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Address address = new Address(random.pick(streets), 1 + id % 5, random.pick(cities));
            people.add(new Person("person " + id, known.computeIfAbsent(key(address), key -> address)));
        }
        return people;
    }

    private static String key(Address address) {
        return String.join("|", address.street(), Integer.toString(address.number()), address.city());
    }
}
