package book;

import java.util.Map;

/** Reads a day's orders, keeps them, and says what there is. */
public final class Main {
    /** What the service serves from. */
    private static final OrderBook BOOK = new OrderBook();

    private Main() {}

    public static void main(String[] arguments) {
        Parser parser = new Parser();
        Feed feed = new Feed(Integer.parseInt(arguments[0]));
        feed.accounts(BOOK::open);
        feed.read(line -> BOOK.place(parser.order(line)));
        BOOK.close();
        StringBuilder json = new StringBuilder("{");
        for (Map.Entry<String, Long> figure : BOOK.figures().entrySet()) {
            // As text: JSON has no numbers of 64 bits.
            json.append(json.length() == 1 ? "" : ", ").append('"').append(figure.getKey()).append("\": \"").append(figure.getValue()).append('"');
        }
        System.out.println(json.append('}'));
    }
}
