package book;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All orders of a day, by symbol matched with each other, and the accounts that placed them. */
public final class OrderBook {
    private final List<Order> orders = new ArrayList<>();
    private final Map<String, Account> accounts = new HashMap<>();
    private final Map<String, Queues> queues = new HashMap<>();
    private long trades;

    /** What of a symbol is not yet traded: of each price the orders in their order of time. */
    private static final class Queues {
        private final TreeMap<Long, Deque<Order>> buys = new TreeMap<>();
        private final TreeMap<Long, Deque<Order>> sells = new TreeMap<>();
    }

    /** Knows an account from now on; most of those that are known place no order today. */
    public void open(String account) {
        accounts.put(account, new Account(account));
    }

    public void place(Order order) {
        orders.add(order);
        Queues queues = this.queues.computeIfAbsent(order.symbol(), symbol -> new Queues());
        if (order.side() == Side.BUY) {
            match(order, queues.sells, true);
            keep(order, queues.buys);
        } else {
            match(order, queues.buys.descendingMap(), false);
            keep(order, queues.sells);
        }
    }

    private void match(Order order, Map<Long, Deque<Order>> others, boolean buys) {
        var levels = others.entrySet().iterator();
        while (order.open() > 0 && levels.hasNext()) {
            var level = levels.next();
            if (buys ? level.getKey() > order.price() : level.getKey() < order.price()) {
                return;
            }
            Deque<Order> queue = level.getValue();
            while (order.open() > 0 && !queue.isEmpty()) {
                Order other = queue.peekFirst();
                trade(order, other, Math.min(order.open(), other.open()));
                if (other.open() == 0) {
                    queue.removeFirst();
                }
            }
            if (queue.isEmpty()) {
                levels.remove();
            }
        }
    }

    private void trade(Order order, Order other, long quantity) {
        order.fill(new Fill(other.id(), other.price(), quantity));
        other.fill(new Fill(order.id(), other.price(), quantity));
        settle(order, other.price() * quantity, false);
        settle(other, other.price() * quantity, true);
        trades++;
    }

    private void settle(Order order, long value, boolean isMaker) {
        long signed = order.side() == Side.BUY ? value : -value;
        accounts.get(order.account()).book(order.hour(), signed, order.fees().of(value, isMaker));
    }

    private void keep(Order order, Map<Long, Deque<Order>> own) {
        if (order.open() > 0) {
            own.computeIfAbsent(order.price(), price -> new ArrayDeque<>(2)).addLast(order);
        }
    }

    /** The day is over: what is open stays as it is for the record, and nothing is matched any more. */
    public void close() {
        queues.clear();
        orders.forEach(Order::close);
    }

    /** Figures that every way of keeping the orders must agree in. */
    public Map<String, Long> figures() {
        Map<String, Long> figures = new TreeMap<>();
        figures.put("orders", (long) orders.size());
        figures.put("accounts", (long) accounts.size());
        figures.put("trades", trades);
        long open = 0;
        long filled = 0;
        long hours = 0;
        long texts = 0;
        for (Order order : orders) {
            open += order.open();
            hours += order.hour();
            for (Fill fill : order.fills()) {
                filled += fill.value() ^ fill.counterparty();
            }
            texts += order.account().hashCode() ^ order.symbol().hashCode() ^ order.tag("strategy").hashCode() ^ order.tag("desk").hashCode();
        }
        figures.put("open", open);
        figures.put("filled", filled);
        figures.put("hours", hours);
        figures.put("texts", texts);
        long balances = 0;
        long volumes = 0;
        for (Account account : accounts.values()) {
            balances += account.balance();
            volumes += account.volume();
        }
        figures.put("balances", balances);
        figures.put("volumes", volumes);
        return figures;
    }
}
