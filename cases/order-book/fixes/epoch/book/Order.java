package book;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An order as it was placed, and what became of it. */
public final class Order {
    private final long id;
    private final String account;
    private final String symbol;
    private final Side side;
    private final Long price;
    private final Long quantity;
    /** Milliseconds since 1970, as the exchange writes its times. */
    private final long placed;
    private final Map<String, String> tags;
    private final Fees fees;
    private final List<Fill> fills = new ArrayList<>();

    public Order(
            long id,
            String account,
            String symbol,
            Side side,
            long price,
            long quantity,
            LocalDateTime placed,
            Map<String, String> tags,
            Fees fees) {
        this.id = id;
        this.account = account;
        this.symbol = symbol;
        this.side = side;
        this.price = price;
        this.quantity = quantity;
        this.placed = placed.toInstant(ZoneOffset.UTC).toEpochMilli();
        this.tags = tags;
        this.fees = fees;
    }

    public long id() {
        return id;
    }

    public String account() {
        return account;
    }

    public String symbol() {
        return symbol;
    }

    public Side side() {
        return side;
    }

    public long price() {
        return price;
    }

    public Fees fees() {
        return fees;
    }

    /** What a tag says; empty where the order has none of that name. */
    public String tag(String key) {
        return tags.getOrDefault(key, "");
    }

    public List<Fill> fills() {
        return fills;
    }

    /** The hour of the day in which it was placed. */
    public int hour() {
        LocalDateTime placed = LocalDateTime.ofEpochSecond(this.placed / 1000, 0, ZoneOffset.UTC);
        return placed.getHour();
    }

    public long open() {
        long open = quantity;
        for (Fill fill : fills) {
            open -= fill.quantity();
        }
        return open;
    }

    public void fill(Fill fill) {
        fills.add(fill);
    }

    /** Nothing more will be traded. */
    public void close() {}
}
