package book;

import java.time.LocalDateTime;
import java.util.Random;
import java.util.function.Consumer;

/** A day's orders, the same for the same number. */
public final class Feed {
    private static final String[] FEES = {"1.5/2.5/EUR", "1.5/2.5/USD", "0.5/1.0/EUR", "0.0/1.0/USD", "2.0/3.0/CHF"};
    private static final String[] STRATEGIES = {"momentum", "arbitrage", "hedging", "index-tracking"};
    private static final LocalDateTime START = LocalDateTime.of(2026, 3, 2, 8, 0);

    private final Random random = new Random(20_260_302);
    private final int count;

    public Feed(int count) {
        this.count = count;
    }

    /** All that may place orders. */
    public void accounts(Consumer<String> account) {
        for (int number = 0; number < accounts(); number++) {
            account.accept(name(number));
        }
    }

    private int accounts() {
        return Math.max(10, count / 4);
    }

    private static String name(int number) {
        return "account-%06d".formatted(number);
    }

    public void read(Consumer<String> line) {
        for (int id = 1; id <= count; id++) {
            String account = name((int) (accounts() * Math.pow(random.nextDouble(), 6)));
            String symbol = "SYM%03d.XETR".formatted(random.nextInt(300));
            boolean buys = random.nextBoolean();
            // Most orders wait a little away from the price of the last trade.
            int away = random.nextInt(12) - (random.nextInt(3) == 0 ? 6 : 0);
            int price = 100_000 + (buys ? -away : away);
            int quantity = 150 + random.nextInt(50) * 10;
            LocalDateTime placed = START.plusSeconds(id * 28_800L / count).plusNanos(random.nextInt(1000) * 1_000_000L);
            line.accept(
                    id + "|" + account + "|" + symbol + "|" + (buys ? "B" : "S") + "|" + price + "|" + quantity + "|" + placed
                            + "|" + FEES[random.nextInt(FEES.length)] + "|" + tags());
        }
    }

    /** Of ten orders six have no tag, three have one, one has two. */
    private String tags() {
        int kind = random.nextInt(10);
        if (kind < 6) {
            return "";
        }
        String strategy = "strategy=" + STRATEGIES[random.nextInt(STRATEGIES.length)];
        return kind < 9 ? strategy : strategy + ",desk=desk-" + random.nextInt(20);
    }
}
