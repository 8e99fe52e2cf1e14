// The tree of every variant against a std::map and a hash computed from the definition alone.

#include <map>
#include <set>

#include <check.hpp>

#include "keys.hpp"
#include "map.hpp"

using namespace shamap;

namespace {

using Model = std::map<Key, Bytes>;
using Range = std::pair<Model::const_iterator, Model::const_iterator>;

Key key_from_hex(std::string_view text) {
    Key key{};
    for (std::size_t i = 0; i < 64; ++i) {
        const char c = text[i];
        const int value = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
        key[i / 2] = static_cast<std::uint8_t>(key[i / 2] << 4U | value);
    }
    return key;
}

Hash expected_leaf_hash(const Key& key, const Bytes& payload) {
    Bytes serial{'M', 'L', 'N', 0};
    serial.insert(serial.end(), payload.begin(), payload.end());
    serial.insert(serial.end(), key.begin(), key.end());
    return sha512_half(serial);
}

// By the definition: an inner node where two leaves or more share a prefix.
Hash expected_hash(Range leaves, unsigned depth) {
    if (depth > 0 && std::next(leaves.first) == leaves.second) {
        return expected_leaf_hash(leaves.first->first, leaves.first->second);
    }
    Bytes serial{'M', 'I', 'N', 0};
    auto begin = leaves.first;
    for (unsigned branch = 0; branch < 16; ++branch) {
        auto end = begin;
        while (end != leaves.second && nibble(end->first, depth) == branch) {
            ++end;
        }
        const Hash child = begin == end ? Hash{} : expected_hash({begin, end}, depth + 1);
        serial.insert(serial.end(), child.begin(), child.end());
        begin = end;
    }
    return sha512_half(serial);
}

Hash expected_root(const Model& model) {
    return model.empty() ? Hash{} : expected_hash({model.begin(), model.end()}, 0);
}

// Keys that share prefixes of all lengths with keys there are.
Key random_neighbour(Random& random, const Model& model) {
    if (model.empty() || random.below(4) == 0) {
        Key key;
        random.fill(key);
        return key;
    }
    Key low;
    random.fill(low);
    auto near = model.lower_bound(low);
    Key key = near == model.end() ? model.begin()->first : near->first;
    const unsigned depth = static_cast<unsigned>(random.below(64));
    const auto bit = static_cast<std::uint8_t>(1U << (depth % 2 == 0 ? 4U + random.below(4) : random.below(4)));
    key[depth / 2] = static_cast<std::uint8_t>(key[depth / 2] ^ bit);
    return key;
}

Bytes random_payload(Random& random) {
    Bytes payload(random.below(80));
    random.fill(payload);
    return payload;
}

template <class V>
void check_holds(Map<V>& map, const Model& model) {
    CHECK(map.root_hash() == expected_root(model));
    std::size_t leaves = 0;
    map.visit([](const Inner<V>& inner, unsigned depth) { CHECK(depth == 0 || inner.size() > 0); },
              [&](const Leaf<V>& leaf, unsigned) {
                  ++leaves;
                  const auto expected = model.find(leaf.key);
                  CHECK(expected != model.end() && std::ranges::equal(leaf.payload(), expected->second));
              });
    CHECK(leaves == model.size());
}

template <class V>
void behaves_as_a_map() {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Random random(seed);
        Map<V> map;
        Model model;
        // A snapshot and what it must hold, whatever becomes of the tree, and the other way round.
        Map<V> snapshot = map.snapshot();
        Model snapshot_model;
        for (int step = 0; step < 1'500; ++step) {
            const bool growing = step / 300 % 2 == 0;
            const Key key = random_neighbour(random, model);
            if (random.below(10) < (growing ? 8U : 2U)) {
                const Bytes payload = random_payload(random);
                CHECK(map.insert(key, payload) == model.emplace(key, payload).second);
            } else if (!model.empty()) {
                auto gone = model.lower_bound(key);
                gone = gone == model.end() ? model.begin() : gone;
                const Key present = gone->first;
                CHECK(map.erase(key) == (model.erase(key) > 0));
                CHECK(map.erase(present) == (model.erase(present) > 0));
                CHECK(map.find(present) == nullptr);
            }
            const auto* const leaf = map.find(key);
            CHECK((leaf != nullptr) == model.contains(key));
            CHECK(leaf == nullptr || std::ranges::equal(leaf->payload(), model.at(key)));
            if (step % 75 == 0) {
                check_holds(map, model);
                check_holds(snapshot, snapshot_model);
            }
            if (step % 150 == 0) {
                snapshot = map.snapshot();
                snapshot_model = model;
                // Both go their own ways.
                const Key own = random_neighbour(random, model);
                CHECK(snapshot.insert(own, {}) == snapshot_model.emplace(own, Bytes{}).second);
                if (step % 300 == 0) {
                    snapshot.unshare();
                }
            }
        }
        while (!model.empty()) {
            CHECK(map.erase(model.begin()->first));
            model.erase(model.begin());
        }
        check_holds(map, model);
        check_holds(snapshot, snapshot_model);
        CHECK(map.root_hash() == Hash{});
    }
}

// As one by one, however many there are, present and absent.
template <class V>
void many_keys_are_found_at_once() {
    Map<V> map;
    const auto check = [&map](std::uint64_t count, std::uint64_t present) {
        std::vector<Key> keys;
        for (std::uint64_t i = 0; i < count; ++i) {
            keys.push_back(random_key(i % 3 == 0 ? 13 : 12, i % (present + 1)));
        }
        std::vector<int> calls(count);
        map.find_each(keys, [&](std::size_t at, const Leaf<V>* leaf) {
            ++calls[at];
            CHECK(leaf == map.find(keys[at]));
        });
        CHECK(std::ranges::count(calls, 1) == static_cast<std::ptrdiff_t>(count));
    };
    check(40, 0);
    for (std::uint64_t present = 0; present < 600; ++present) {
        CHECK(map.insert(random_key(12, present), {}));
        if (present < 2 || present % 199 == 0) {
            for (const std::uint64_t count : {0U, 1U, 16U, 17U, 500U}) {
                check(count, present);
            }
        }
    }
}

template <class V>
void the_order_of_insertion_does_not_matter(std::set<Hash>& roots) {
    constexpr std::uint64_t count = 3'000;
    for (const std::uint64_t stride : {1U, 7U, 1'001U, 2'999U}) {
        Map<V> map;
        for (std::uint64_t i = 0; i < count; ++i) {
            const Key key = random_key(5, i * stride % count);
            CHECK(map.insert(key, key));
            if (i % 500 == 0) {
                map.root_hash();
            }
        }
        roots.insert(map.root_hash());
        // What came and went leaves no trace.
        for (std::uint64_t i = 0; i < 500; ++i) {
            CHECK(map.insert(random_key(6, i), {}));
        }
        for (std::uint64_t i = 0; i < 500; ++i) {
            CHECK(map.erase(random_key(6, i)));
        }
        roots.insert(map.root_hash());
    }
}

// Root hashes that the reference server's own test expects, after each of these is added and taken away again.
template <class V>
void hashes_are_those_of_the_ledger() {
    constexpr std::array keys{"b92891", "b92881", "b92691", "b92791", "b91891", "b99891", "f22891", "292891"};
    constexpr std::string_view rest = "fe4ef6cee585fdc6fda1e09eb4d386363158ec3321b8123e5a772c6ca8";
    constexpr std::array roots{"B7387CFEA0465759ADC718E8C42B52D2309D179B326E239EB5075C64B6281F7F",
                               "FBC195A9592A54AB44010274163CB6BA95F497EC5BA0A8831845467FB2ECE266",
                               "4E7D2684B65DFD48937FFB775E20175C43AF0C94066F7D5679F51AE756795B75",
                               "7A2F312EB203695FFD164E038E281839EEF06A1B99BFC263F3CECC6C74F93E07",
                               "395A6691A372387A703FB0F2C6D2C405DAF307D0817F8F0E207596462B0E3A3E",
                               "D044C0A696DE3169CC70AE216A1564D69DE96582865796142CE7D98A84D9DDE4",
                               "76DCC77C4027309B5A91AD164083264D70B77B5E43E08AEDA5EBF94361143615",
                               "DF4220E93ADC6F5569063A01B4DC79F8DB9553B6A3222ADE23DEA02BBE7230E5"};
    Map<V> map(LeafKind::transaction);
    const auto key = [&](std::size_t i) { return key_from_hex(std::string(keys[i]) + std::string(rest)); };
    for (std::size_t i = 0; i < keys.size(); ++i) {
        CHECK(map.insert(key(i), Bytes(32, static_cast<std::uint8_t>(i))));
        CHECK(hex(map.root_hash()) == roots[i]);
    }
    CHECK(!map.prove(key(0)));
    for (std::size_t i = keys.size(); i-- > 0;) {
        CHECK(hex(map.root_hash()) == roots[i]);
        CHECK(map.erase(key(i)));
    }
    CHECK(map.root_hash() == Hash{});
}

template <class V>
void proofs_prove_what_is_there_and_nothing_else() {
    Random random(9);
    Map<V> map;
    Model model;
    for (int i = 0; i < 400; ++i) {
        const Key key = random_neighbour(random, model);
        const Bytes payload = random_payload(random);
        if (map.insert(key, payload)) {
            model.emplace(key, payload);
        }
    }
    const Hash root = map.root_hash();
    for (const auto& [key, payload] : model) {
        const Proof proof = map.prove(key).value();
        const auto proven = verify(root, key, proof);
        CHECK(proven && std::ranges::equal(*proven, payload));

        // Any bit that is turned, any node that is missing or comes twice, and any other key or root is refused.
        Proof wrong = proof;
        Bytes& node = wrong[random.below(wrong.size())];
        std::uint8_t& byte = node[random.below(node.size())];
        byte = static_cast<std::uint8_t>(byte ^ 1U << random.below(8));
        CHECK(!verify(root, key, wrong));
        wrong = proof;
        wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(random.below(wrong.size())));
        CHECK(!verify(root, key, wrong));
        wrong = proof;
        wrong.push_back(wrong.back());
        CHECK(!verify(root, key, wrong));
        wrong = proof;
        wrong[random.below(wrong.size())].clear();
        CHECK(!verify(root, key, wrong));
        Key other = key;
        other[31] = static_cast<std::uint8_t>(other[31] ^ 1U);
        CHECK(!verify(root, other, proof));
        CHECK(model.contains(other) || !map.prove(other));
        Hash other_root = root;
        other_root[0] = static_cast<std::uint8_t>(other_root[0] ^ 1U);
        CHECK(!verify(other_root, key, proof));
    }
    CHECK(!verify(root, model.begin()->first, {}));
    CHECK(!verify(root, model.begin()->first, Proof(66, Bytes(516))));
}

template <class V>
void a_store_gives_back_every_tree_that_was_flushed() {
    NodeStore store(V::caches_serialised);
    Map<V> map;
    std::vector<std::pair<Hash, Model>> closed;
    Model model;
    Random random(11);
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 200; ++i) {
            const Key key = random_neighbour(random, model);
            if (map.insert(key, key)) {
                model.emplace(key, Bytes(key.begin(), key.end()));
            }
        }
        while (model.size() > static_cast<std::size_t>(150 * (round + 1))) {
            CHECK(map.erase(model.begin()->first));
            model.erase(model.begin());
        }
        map.flush(store);
        closed.emplace_back(map.root_hash(), model);
    }
    CHECK((store.cached() > 0) == V::caches_serialised);
    for (auto& [root, expected] : closed) {
        Map<V> loaded = Map<V>::load(store, root);
        check_holds(loaded, expected);
    }
    bool threw = false;
    try {
        Map<V>::load(store, Hash{1});
    } catch (const CorruptStore&) {
        threw = true;
    }
    CHECK(threw);
}

// A tree of which only the root is there behaves like one that was never away, and loads what it needs alone.
template <class V>
void children_may_be_known_by_their_hashes_alone() {
    NodeStore store(false);
    Model model;
    Random random(17);
    Hash root;
    {
        Map<V> map;
        for (int i = 0; i < 400; ++i) {
            const Key key = random_neighbour(random, model);
            if (map.insert(key, key)) {
                model.emplace(key, Bytes(key.begin(), key.end()));
            }
        }
        map.flush(store);
        root = map.root_hash();
    }
    const Model closed = model;
    Map<V> map = Map<V>::open(store, root);
    CHECK(map.root_hash() == root);
    // Whatever is done to it, with snapshots that load what the tree has not, and the other way round.
    std::vector<std::pair<Map<V>, Model>> snapshots;
    for (int step = 0; step < 400; ++step) {
        if (step % 50 == 0) {
            snapshots.emplace_back(map.snapshot(), model);
            if (snapshots.size() % 3 == 0) {
                snapshots.back().first.unshare();
            }
        }
        auto& [other, other_model] = snapshots[random.below(snapshots.size())];
        for (auto [tree, keys] : {std::pair(&map, &model), std::pair(&other, &other_model)}) {
            const Key key = random_neighbour(random, *keys);
            CHECK((tree->find(key) != nullptr) == keys->contains(key));
            if (random.below(2) == 0) {
                CHECK(tree->insert(key, key) == keys->emplace(key, Bytes(key.begin(), key.end())).second);
            } else if (const auto gone = keys->lower_bound(key); gone != keys->end()) {
                const Key present = gone->first;
                CHECK(tree->erase(present));
                keys->erase(present);
            }
            if (step % 40 == 0) {
                CHECK(tree->root_hash() == expected_root(*keys));
                tree->flush(store);
            }
        }
    }
    check_holds(map, model);
    for (auto& [snapshot, expected] : snapshots) {
        check_holds(snapshot, expected);
    }
    Map<V> many = Map<V>::open(store, root);
    std::vector<Key> keys;
    for (const auto& [key, payload] : closed) {
        keys.push_back(key);
        Key other = key;
        other[31] = static_cast<std::uint8_t>(other[31] ^ 1U);
        keys.push_back(other);
    }
    many.find_each(keys, [&](std::size_t at, const Leaf<V>* leaf) {
        CHECK((leaf != nullptr) == closed.contains(keys[at]));
    });
    Map<V> proves = Map<V>::open(store, root);
    const Proof proof = proves.prove(closed.begin()->first).value();
    CHECK(verify(root, closed.begin()->first, proof));
}

// Of a store with some nodes of another: what is missing is an error for those who need it, and for nobody else.
template <class V>
void a_missing_node_is_an_error() {
    Model model;
    NodeStore whole(false);
    Map<V> map;
    for (std::uint64_t i = 0; i < 300; ++i) {
        const Key key = random_key(19, i);
        CHECK(map.insert(key, key));
        model.emplace(key, Bytes(key.begin(), key.end()));
    }
    map.flush(whole);
    const Hash root = map.root_hash();
    // All inner nodes, and every leaf but one.
    const Key missing = model.begin()->first;
    NodeStore store(false);
    map.visit([&store](const Inner<V>& inner, unsigned) { store.put(inner.hash(), serialise(inner.child_hashes())); },
              [&](const Leaf<V>& leaf, unsigned) {
                  if (leaf.key != missing) {
                      Bytes serial;
                      serialise(LeafKind::state, leaf.key, leaf.payload(), serial);
                      store.put(leaf.hash(), serial);
                  }
              });
    store.commit();
    const auto is_missing = [](auto&& work) {
        try {
            work();
        } catch (const CorruptStore&) {
            return true;
        }
        return false;
    };
    CHECK(is_missing([&] { Map<V>::load(store, root); }));
    Map<V> tree = Map<V>::open(store, root);
    for (const auto& [key, payload] : model) {
        CHECK(is_missing([&] { CHECK(tree.find(key) != nullptr); }) == (key == missing));
    }
    CHECK(is_missing([&] { tree.insert(missing, {}); }));
    CHECK(is_missing([&] { tree.erase(missing); }));
    CHECK(tree.root_hash() == root);
    // Until one of two is the missing one, which may have to move up.
    bool stopped = false;
    for (const auto& [key, payload] : Model(model)) {
        if (key == missing) {
            continue;
        }
        if (is_missing([&] { tree.erase(key); })) {
            stopped = true;
        } else {
            model.erase(key);
        }
        CHECK(tree.root_hash() == expected_root(model));
    }
    CHECK(stopped);
    // A leaf, and nodes that are where no key leads to.
    const Hash leaf = expected_leaf_hash(model.begin()->first, model.begin()->second);
    CHECK(is_missing([&] { Map<V>::open(whole, leaf); }));
    ChildHashes wrong{};
    wrong[(nibble(model.begin()->first, 0) + 1U) % 16U] = leaf;
    const SerialInner serial = serialise(wrong);
    whole.put(sha512_half(serial), serial);
    whole.commit();
    CHECK(is_missing([&] { Map<V>::load(whole, sha512_half(serial)); }));
}

template <class... V>
void every_variant() {
    std::set<Hash> roots;
    (behaves_as_a_map<V>(), ...);
    (many_keys_are_found_at_once<V>(), ...);
    (the_order_of_insertion_does_not_matter<V>(roots), ...);
    CHECK(roots.size() == 1);
    (hashes_are_those_of_the_ledger<V>(), ...);
    (proofs_prove_what_is_there_and_nothing_else<V>(), ...);
    (a_store_gives_back_every_tree_that_was_flushed<V>(), ...);
    (children_may_be_known_by_their_hashes_alone<V>(), ...);
    (a_missing_node_is_an_error<V>(), ...);
}

}  // namespace

// In two programs, which are built side by side.
int main() {
#ifdef SHAMAP_OTHER_VARIANTS
    every_variant<Before, Intrusive, JoinedNodes, After>();
#else
    every_variant<TwoArraysNode, OneArrayNode, BitsetNode, Sparse28, Sparse246, HashesFirst>();
#endif
}
