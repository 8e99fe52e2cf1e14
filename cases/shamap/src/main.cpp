// One of the programs: builds a tree, computes its hashes, stores its nodes, and prints what it is as JSON. With
// --measure it says also what that took. SHAMAP_VARIANT is a type of variants.hpp.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string_view>

#include "live.hpp"
#include "map.hpp"
#include "measure.hpp"
#include "shape.hpp"

namespace {

using namespace shamap;
using Tree = Map<SHAMAP_VARIANT>;

constexpr std::string_view usage =
    "  --keys N           how many random keys [500000]\n"
    "  --published SHARE  instead: a tree whose inner nodes have the published numbers of children, times SHARE\n"
    "  --seed S           of keys and payloads [1]\n"
    "  --payload BYTES    of each leaf [100]\n"
    "  --open SHARE       instead of it: the same tree, opened by its root hash, after a search for SHARE of the keys\n"
    "  --live LEDGERS     change the tree for so many ledgers, and print how memory goes\n"
    "  --no-store         do not store the nodes\n"
    "  --measure          also print memory and times\n";

struct Options {
    std::uint64_t keys = 500'000;
    double published_share = 0;
    double opened_share = -1;
    std::uint64_t ledgers = 0;
    std::uint64_t seed = 1;
    std::size_t payload = 100;
    bool stores = true;
    bool measures = false;
};

template <class T>
T number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw std::invalid_argument("not a number: " + std::string(text));
    }
    return value;
}

Options parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view name = arguments[i];
        const auto value = [&]() -> std::string_view {
            if (++i == count) {
                throw std::invalid_argument(std::string(name) + " needs a value");
            }
            return arguments[i];
        };
        if (name == "--keys") {
            options.keys = number<std::uint64_t>(value());
        } else if (name == "--published") {
            options.published_share = number<double>(value());
        } else if (name == "--open") {
            options.opened_share = number<double>(value());
        } else if (name == "--live") {
            options.ledgers = number<std::uint64_t>(value());
        } else if (name == "--seed") {
            options.seed = number<std::uint64_t>(value());
        } else if (name == "--payload") {
            options.payload = number<std::size_t>(value());
        } else if (name == "--no-store") {
            options.stores = false;
        } else if (name == "--measure") {
            options.measures = true;
        } else {
            throw std::invalid_argument("unknown: " + std::string(name) + "\n" + std::string(usage));
        }
    }
    if (options.opened_share >= 0 && !options.stores) {
        throw std::invalid_argument("what is not stored cannot be opened");
    }
    return options;
}

void run(const Options& options) {
    std::vector<Key> keys;
    std::uint64_t count = options.keys;
    std::uint64_t empty_trees = 0;
    if (options.published_share > 0) {
        const Histogram histogram = scaled(published, options.published_share);
        keys = Shape(histogram, options.seed).keys();
        count = keys.size();
        empty_trees = histogram[0];
    }
    const auto key_at = [&](std::uint64_t i) { return keys.empty() ? random_key(options.seed, i) : keys[i]; };

    Tree tree;
    std::vector<Tree> empty(empty_trees);
    NodeStore store(SHAMAP_VARIANT::caches_serialised);
    Bytes payload(options.payload);
    const double insert = milliseconds([&] {
        for (std::uint64_t i = 0; i < count; ++i) {
            const Key key = key_at(i);
            payload_of(key, payload);
            tree.insert(key, payload);
        }
    });
    const double hash = milliseconds([&] { tree.root_hash(); });
    const double flush = milliseconds([&] {
        if (options.stores) {
            tree.flush(store);
        }
    });

    if (options.ledgers > 0) {
        keys = {};
        live<SHAMAP_VARIANT>(tree, store, count, options.ledgers, options.seed, payload.size(), options.measures);
        std::exit(0);
    }
    if (options.opened_share >= 0) {
        // The tree that was built goes first.
        const Hash root = tree.root_hash();
        tree = Tree();
        tree = Tree::open(store, root);
        const auto searched = static_cast<std::uint64_t>(static_cast<double>(count) * options.opened_share);
        std::uint64_t found = 0;
        for (std::uint64_t i = 0; i < searched; ++i) {
            found += tree.find(key_at(i)) != nullptr ? 1 : 0;
        }
        std::cout << "{\"root\": \"" << hex(tree.root_hash()) << "\", \"found\": " << found;
        if (options.measures) {
            std::cout << ", \"measured\": {\"bytes_in_use\": " << bytes_in_use()
                      << ", \"resident_bytes\": " << resident_bytes() << "}";
        }
        std::cout << "}" << std::endl;
        std::exit(0);
    }

    Histogram histogram = tree.children_histogram();
    histogram[0] += empty_trees;
    std::cout << "{\"root\": \"" << hex(tree.root_hash()) << "\", \"leaves\": " << count
              << ", \"inner_nodes\": " << std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0})
              << ", \"children\": [";
    for (std::size_t i = 0; i < histogram.size(); ++i) {
        std::cout << (i == 0 ? "" : ", ") << histogram[i];
    }
    std::cout << "]";

    if (options.measures) {
        std::uint64_t found = 0;
        double find = std::numeric_limits<double>::infinity();
        for (int round = 0; round < 5; ++round) {
            found = 0;
            const double once = milliseconds([&] {
                // In an order that has nothing to do with the one in which they were inserted.
                constexpr std::uint64_t stride = 1'000'003;
                for (std::uint64_t i = 0, at = 0; i < count; ++i, at = (at + stride) % count) {
                    found += tree.find(key_at(at)) != nullptr ? 1 : 0;
                }
            });
            find = std::min(find, once);
        }
        double find_each = std::numeric_limits<double>::infinity();
        for (int round = 0; round < 5; ++round) {
            std::uint64_t found_each = 0;
            const double once = milliseconds([&] {
                // As many as a ledger may have transactions; each batch in that order, too.
                constexpr std::uint64_t stride = 1'000'003;
                std::array<Key, 256> batch;
                for (std::uint64_t done = 0, at = 0; done < count;) {
                    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(batch.size(), count - done));
                    for (std::size_t i = 0; i < size; ++i, at = (at + stride) % count) {
                        batch[i] = key_at(at);
                    }
                    tree.find_each(std::span(batch).first(size), [&found_each](std::size_t, const auto* leaf) {
                        found_each += leaf != nullptr ? 1 : 0;
                    });
                    done += size;
                }
            });
            if (found_each != found) {
                throw std::logic_error("searching in groups finds other leaves");
            }
            find_each = std::min(find_each, once);
        }
        keys = {};
        const std::size_t in_use = bytes_in_use();
        const std::size_t resident = resident_bytes();
        // A copy of all inner nodes that shares the leaves: what it adds is what inner nodes are charged.
        Tree copy = tree.snapshot();
        copy.unshare();
        const std::size_t inner = bytes_in_use() - in_use;
        std::cout << ", \"measured\": {\"bytes_in_use\": " << in_use << ", \"resident_bytes\": " << resident
                  << ", \"inner_bytes\": " << inner << ", \"inner_size\": " << sizeof(Inner<SHAMAP_VARIANT>) << ", \"cached_nodes\": " << store.cached()
                  << ", \"found\": " << found << ", \"insert_ms\": " << insert << ", \"hash_ms\": " << hash
                  << ", \"store_ms\": " << flush << ", \"find_ms\": " << find
                  << ", \"find_each_ms\": " << find_each << "}";
    }
    std::cout << "}" << std::endl;
    // With the tree still there, for whoever looks at the memory of a program that ends.
    std::exit(0);
}

}  // namespace

int main(int count, char** arguments) {
    try {
        run(parse(count, arguments));
    } catch (const std::exception& error) {
        std::cerr << arguments[0] << ": " << error.what() << '\n';
        return 2;
    }
}
