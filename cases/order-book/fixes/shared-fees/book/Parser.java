package book;

import java.time.LocalDateTime;
import java.util.Currency;
import java.util.HashMap;
import java.util.Map;

/** Orders from the lines of a feed: {@code id|account|symbol|side|price|quantity|placed|maker/taker/currency|key=value,…}. */
public final class Parser {
    /** There are few; each stands once for all orders. */
    private final Map<String, Fees> fees = new HashMap<>();

    public Order order(String line) {
        String[] words = line.split("\\|", -1);
        return new Order(
                Long.parseLong(words[0]),
                words[1],
                words[2],
                words[3].equals("B") ? Side.BUY : Side.SELL,
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                LocalDateTime.parse(words[6]),
                tags(words[8]),
                fees.computeIfAbsent(words[7], Parser::fees));
    }

    private Map<String, String> tags(String text) {
        Map<String, String> tags = new HashMap<>();
        for (String tag : text.isEmpty() ? new String[0] : text.split(",")) {
            int at = tag.indexOf('=');
            tags.put(key(tag.substring(0, at)), tag.substring(at + 1));
        }
        return tags;
    }

    /** The keys that are known; others are not kept. */
    private static String key(String key) {
        return switch (key) {
            case "strategy" -> "strategy";
            case "desk" -> "desk";
            case "client" -> "client";
            default -> throw new IllegalArgumentException(key);
        };
    }

    private static Fees fees(String text) {
        String[] words = text.split("/");
        return new Fees(Double.parseDouble(words[0]), Double.parseDouble(words[1]), Currency.getInstance(words[2]));
    }
}
