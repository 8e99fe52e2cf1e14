package l09.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import lib.Random;
import lib.Service;

final class Account {
    final int number;
    private long cents;
    private final ReentrantLock lock = new ReentrantLock();

    Account(int number) {
        this.number = number;
    }

    void add(int more) {
        lock.lock();
        try {
            cents += more;
        } finally {
            lock.unlock();
        }
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Account> load(Random random, int count) {
        List<Account> accounts = new ArrayList<>(count);
        for (int number = 0; number < count; number++) {
            Account account = new Account(number);
            account.add(random.integer(100, 900_000));
            accounts.add(account);
        }
        return accounts;
    }
}
