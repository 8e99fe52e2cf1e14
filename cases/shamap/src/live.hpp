// A tree that lives: each ledger takes leaves away, adds others and changes some, and is kept as a snapshot for a while.

#pragma once

#include <deque>
#include <iostream>

#include "keys.hpp"
#include "map.hpp"
#include "measure.hpp"

namespace shamap {

// Prints JSON: the root hash in the end and, if it measures, how memory went. The keys are those that `random_key` makes.
template <class V>
void live(Map<V>& tree, NodeStore& store, std::uint64_t count, std::uint64_t ledgers, std::uint64_t seed,
          std::size_t payload_bytes, bool measures) {
    constexpr std::uint64_t changes = 200;
    constexpr std::size_t kept = 32;
    constexpr std::uint64_t moments = 8;

    Random random(seed);
    // Not every program has a cache: what changes must not depend on it.
    Random random_of_cache(seed);
    std::vector<Key> present;
    present.reserve(count + ledgers * changes);
    tree.visit([](const Inner<V>&, unsigned) {},
               [&present](const Leaf<V>& leaf, unsigned) { present.push_back(leaf.key); });
    std::deque<Map<V>> snapshots;
    // A cache has a limit: what it holds when the tree begins to live.
    const std::size_t cached = store.cached();
    Bytes payload(payload_bytes);
    std::uint64_t fresh = 0;
    std::string rows;
    for (std::uint64_t ledger = 0; ledger <= ledgers; ++ledger) {
        if (measures && ledger % std::max<std::uint64_t>(1, ledgers / moments) == 0) {
            rows += (rows.empty() ? "" : ", ") + std::string("{\"ledger\": ") + std::to_string(ledger) +
                    ", \"bytes_in_use\": " + std::to_string(bytes_in_use()) +
                    ", \"resident_bytes\": " + std::to_string(resident_bytes_as_they_are()) + "}";
        }
        for (std::uint64_t change = 0; change < changes && !present.empty(); ++change) {
            Key& one = present[random.below(present.size())];
            random.fill(payload);
            switch (random.below(4)) {
            case 0:
                tree.erase(one);
                one = present.back();
                present.pop_back();
                break;
            case 1:
                present.push_back(random_key(~seed, fresh++));
                tree.insert(present.back(), payload);
                break;
            default:
                tree.erase(one);
                tree.insert(one, payload);
            }
        }
        snapshots.push_back(tree.snapshot());
        if (snapshots.size() > kept) {
            snapshots.pop_front();
        }
        tree.flush(store);
        store.shrink_cache(cached, random_of_cache);
    }
    std::cout << "{\"root\": \"" << hex(tree.root_hash()) << "\", \"leaves\": " << present.size()
              << ", \"snapshots\": " << snapshots.size();
    if (measures) {
        std::cout << ", \"measured\": {\"over_time\": [" << rows << "], \"bytes_in_use\": " << bytes_in_use()
                  << ", \"resident_bytes\": " << resident_bytes() << "}";
    }
    std::cout << "}" << std::endl;
}

}  // namespace shamap
