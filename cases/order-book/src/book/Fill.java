package book;

/** A part of an order that was traded. */
public record Fill(long counterparty, long price, long quantity) {
    long value() {
        return price * quantity;
    }
}
