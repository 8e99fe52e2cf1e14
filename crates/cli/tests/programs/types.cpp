// Objects without virtual tables, made in the ways whose types the functions on the way to the allocator tell.

#include <cstdlib>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

struct Order {
    long id;
    double price;
    long parts[4];
    explicit Order(long number) : id(number), price(2.0 * static_cast<double>(number)), parts{number} {}
};

struct Item {
    long id, price, count;
};

// Not shared pointers only: their counts have virtual tables, which name the type.
__attribute__((noinline)) std::unique_ptr<Order> unique(long i) { return std::make_unique<Order>(i); }
__attribute__((noinline)) void fill(std::vector<Item>& items, long i) { items.resize(20, Item{i, i, i}); }
__attribute__((noinline)) void put(std::map<long, Item>& items, long i) { items.emplace(i, Item{i, i, i}); }
__attribute__((noinline)) void hash(std::unordered_map<long, Item>& items, long i) { items.emplace(i, Item{i, i, i}); }
// What a constructor's caller allocates has no name of its type on the way.
__attribute__((noinline)) Order* plain(long i) { return new Order(i); }

int main() {
    static std::vector<std::unique_ptr<Order>> orders;
    static std::vector<Order*> plains;
    static std::vector<std::vector<Item>> lists(5000);
    static std::map<long, Item> tree;
    static std::unordered_map<long, Item> table;
    for (long i = 0; i < 5000; ++i) {
        orders.push_back(unique(i));
        plains.push_back(plain(i));
        fill(lists[static_cast<std::size_t>(i)], i);
        put(tree, i);
        hash(table, i);
    }
    std::exit(0);
}
