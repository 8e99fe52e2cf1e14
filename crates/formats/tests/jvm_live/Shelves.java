import java.util.ArrayList;
import java.util.List;

/** Containers of a library of its own, each class with 1 to 100 entries; prints which class has how many. */
class Shelves {
    /** A list around an array that doubles. */
    static class Bag {
        Object[] items = new Object[2];
        int count;

        void add(Object item) {
            if (count == items.length) {
                items = java.util.Arrays.copyOf(items, 2 * count);
            }
            items[count++] = item;
        }
    }

    /** The same for numbers. */
    static class Counts {
        short[] items = new short[2];
        int count;

        void add(int item) {
            if (count == items.length) {
                items = java.util.Arrays.copyOf(items, 2 * count);
            }
            items[count++] = (short) item;
        }
    }

    /** A bag with a name of its own. */
    static class NamedBag extends Bag {
        String name;
    }

    /** Chains of entries, doubled with the entry that does not fit. */
    static class Chains {
        static class Link {
            int number;
            Object value;
            Link after;
        }

        /** What is asked for again and again. */
        class Values {
            int count() {
                return size;
            }
        }

        Link[] table = new Link[8];
        int size;
        Values values = new Values();

        void put(int number, Object value) {
            if (size == table.length / 2) {
                Link[] old = table;
                table = new Link[2 * old.length];
                for (Link first : old) {
                    for (Link link = first; link != null; ) {
                        Link next = link.after;
                        chain(link);
                        link = next;
                    }
                }
            }
            Link link = new Link();
            link.number = number;
            link.value = value;
            chain(link);
            size++;
        }

        private void chain(Link link) {
            int at = link.number * 31 & table.length - 1;
            link.after = table[at];
            table[at] = link;
        }
    }

    /** Keys and values side by side, with a slot to spare. */
    static class Columns {
        long[] keys = new long[5];
        Object[] values = new Object[5];
        byte[] states = new byte[5];
        int size;

        void put(long key, Object value) {
            int room = keys.length - 1;
            if (size == room) {
                keys = java.util.Arrays.copyOf(keys, 2 * room + 1);
                values = java.util.Arrays.copyOf(values, 2 * room + 1);
                states = java.util.Arrays.copyOf(states, 2 * room + 1);
            }
            keys[size] = key;
            values[size] = value;
            states[size++] = 1;
        }
    }

    /** Elements in arrays of four, but for the first ones. */
    static class Pages {
        Object[] first = {};
        Object[][] pages = {};

        Pages(int size) {
            first = new Object[size % 4];
            pages = new Object[size / 4][4];
            for (int at = 0; at < first.length; at++) {
                first[at] = Shelves.text(at);
            }
            for (Object[] page : pages) {
                for (int at = 0; at < page.length; at++) {
                    page[at] = Shelves.text(at);
                }
            }
        }
    }

    static final List<Object> held = new ArrayList<>();

    static Object text(int at) {
        return "entry " + at;
    }

    public static void main(String[] arguments) throws Exception {
        for (int size = 1; size <= 100; size++) {
            Bag bag = new Bag();
            Counts counts = new Counts();
            NamedBag named = new NamedBag();
            Chains chains = new Chains();
            Columns columns = new Columns();
            for (int at = 0; at < size; at++) {
                bag.add(text(at));
                counts.add(at);
                named.add(text(at));
                chains.put(at, text(at));
                columns.put(at, text(at));
            }
            named.name = "name " + size;
            held.addAll(List.of(bag, counts, named, chains, columns, new Pages(size)));
        }
        Layouts.write(arguments[0]);
        for (String name : List.of("Bag", "Counts", "NamedBag", "Chains", "Columns", "Pages")) {
            System.out.println("Shelves$" + name + " 5050");
        }
    }
}
