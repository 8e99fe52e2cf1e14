package book;

import java.time.LocalDateTime;
import java.util.Currency;
import java.util.HashMap;
import java.util.Map;

/** Orders from the lines of a feed: {@code id|account|symbol|side|price|quantity|placed|maker/taker/currency|key=value,…}. */
public final class Parser {
    /** There are few; each stands once for all orders. */
    private final Map<String, Fees> fees = new HashMap<>();

    /** Names that many orders have, each once. */
    private final Map<String, String> names = new HashMap<>();

    public Order order(String line) {
        String[] words = line.split("\\|", -1);
        return new Order(
                Long.parseLong(words[0]),
                once(words[1]),
                once(words[2]),
                words[3].equals("B") ? Side.BUY : Side.SELL,
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                LocalDateTime.parse(words[6]),
                tags(words[8]),
                fees.computeIfAbsent(words[7], Parser::fees));
    }

    private Map<String, String> tags(String text) {
        if (text.isEmpty()) {
            return Map.of();
        }
        Map<String, String> tags = new HashMap<>();
        for (String tag : text.split(",")) {
            int at = tag.indexOf('=');
            tags.put(key(tag.substring(0, at)), once(tag.substring(at + 1)));
        }
        // A map of one entry that nobody changes is one object.
        return tags.size() == 1 ? Map.copyOf(tags) : tags;
    }

    private String once(String name) {
        String known = names.putIfAbsent(name, name);
        return known == null ? name : known;
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
