package book;

import java.util.Currency;

/** What an order pays, in hundredths of a percent of its value. */
public record Fees(double maker, double taker, Currency currency) {
    long of(long value, boolean isMaker) {
        return Math.round(value * (isMaker ? maker : taker) / 10_000);
    }
}
