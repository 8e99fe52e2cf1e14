// SHAMap: a Merkle tree and radix tree in one. Its shape, and so its root hash, depends on the keys alone, not on the
// order in which they came.
//
// The root is an inner node, with no children in an empty tree. Any other inner node stands where two keys or more
// share a prefix; a leaf stands at the first branch that its key has for itself.

#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include "node.hpp"
#include "proof.hpp"
#include "store.hpp"

namespace shamap {

// Not to be used by two threads at a time, but a tree and its snapshots are independent where nodes come from the heap
// and all of them are loaded.
template <class V>
class Map {
public:
    using InnerNode = Inner<V>;
    using LeafNode = Leaf<V>;
    using Pointer = typename Node<V>::Pointer;

    explicit Map(LeafKind kind = LeafKind::state)
        : kind_(kind), owner_(next_owner()), root_(InnerNode::make(owner_)) {}

    // The tree that a store has under a root hash, all of it. Throws CorruptStore when something of it is missing or not
    // what its hash says.
    static Map load(NodeStore& store, const Hash& root) {
        Map map = open(store, root);
        map.visit([](const InnerNode&, unsigned) {}, [](const LeafNode&, unsigned) {});
        return map;
    }

    // The same tree with its root alone: children are hashes until somebody goes there. The store must live as long as the
    // tree and its snapshots; what is missing from it is found out, and thrown as CorruptStore, by whoever needs it: then
    // nothing has changed.
    static Map open(NodeStore& store, const Hash& root) {
        Map map;
        if (root != Hash{}) {
            map.source_ = &store;
            map.root_ = map.read_node(root, Key{}, 0);
            if (map.root_->is_leaf()) {
                throw CorruptStore(root);
            }
        }
        return map;
    }

    Map(Map&&) noexcept = default;
    Map& operator=(Map&&) noexcept = default;

    // False when the key is there already. Strong exception safety.
    bool insert(const Key& key, std::span<const std::uint8_t> payload) {
        Path path = locate(key);
        const unsigned depth = path.depth;
        const LeafNode* const other = path.leaf;
        if (other != nullptr && other->key == key) {
            return false;
        }
        Pointer fresh = LeafNode::make(key, payload);
        if (other == nullptr) {
            InnerNode::insert(own(path, key), nibble(key, depth), std::move(fresh));
            return true;
        }
        // Both keys go on together for a while: inner nodes of one child, built from below.
        unsigned fork = depth + 1;
        while (nibble(key, fork) == nibble(other->key, fork)) {
            ++fork;
        }
        const unsigned branch = nibble(key, depth);
        Pointer chain = InnerNode::make(owner_);
        InnerNode::insert(chain, nibble(key, fork), std::move(fresh));
        InnerNode::insert(chain, nibble(other->key, fork), inner_at(*path.nodes[depth]).child(branch));
        while (--fork > depth) {
            Pointer above = InnerNode::make(owner_);
            InnerNode::insert(above, nibble(key, fork), std::move(chain));
            chain = std::move(above);
        }
        inner_at(own(path, key)).replace(branch, std::move(chain));
        return true;
    }

    // False when there is no such key. Strong exception safety.
    bool erase(const Key& key) {
        Path path = locate(key);
        if (path.leaf == nullptr || path.leaf->key != key) {
            return false;
        }
        unsigned depth = path.depth;
        load_sibling(*path.nodes[depth], key, depth);
        InnerNode::erase(own(path, key), nibble(key, depth));
        // A leaf that is left alone moves up to where its key is the only one.
        while (depth > 0 && inner_at(*path.nodes[depth]).size() == 1) {
            InnerNode& inner = inner_at(*path.nodes[depth]);
            Pointer last = inner.child(inner.first_branch());
            if (!last->is_leaf()) {
                break;
            }
            --depth;
            inner_at(*path.nodes[depth]).replace(nibble(key, depth), std::move(last));
        }
        return true;
    }

    // Null when there is no such key. The leaf lives until this tree changes.
    const LeafNode* find(const Key& key) const {
        const Pointer* at = &root_;
        for (unsigned depth = 0;; ++depth) {
            const unsigned branch = nibble(key, depth);
            const Pointer* const child = InnerNode::find(*at, branch);
            if (child == nullptr) {
                return nullptr;
            }
            if (!*child) {
                load_child(*at, key, depth);
            }
            if (InnerNode::leads_to_leaf(*at, branch, *child)) {
                const auto* const leaf = static_cast<const LeafNode*>(child->get());
                return leaf->key == key ? leaf : nullptr;
            }
            at = child;
        }
    }

    // Searches for many keys at once: calls f(index of the key, leaf or null), in any order. A search waits for memory at
    // every node; while one waits here, others go on.
    template <class F>
    void find_each(std::span<const Key> keys, F&& f) const {
        std::array<Search, searches_at_once> searches;
        std::size_t next = 0;
        std::size_t active = 0;
        while (active < searches.size() && next < keys.size()) {
            searches[active++] = Search{&root_, next++, 0, false};
        }
        while (active > 0) {
            for (std::size_t i = 0; i < active;) {
                Search& search = searches[i];
                const auto found = advance(search, keys[search.key]);
                if (!found) {
                    ++i;
                    continue;
                }
                f(search.key, *found);
                if (next < keys.size()) {
                    search = Search{&root_, next++, 0, false};
                    ++i;
                } else {
                    search = searches[--active];
                }
            }
        }
    }

    // Zeros when the tree is empty.
    Hash root_hash() {
        if (!root_->is_hashed()) {
            compute_hash(inner_at(root_));
        }
        return root_->hash();
    }

    // A tree with the same leaves, which shares all nodes until one of the two changes them.
    Map snapshot() {
        root_hash();
        const std::uint32_t mine = next_owner();
        Map copy(kind_, next_owner(), root_, source_);
        owner_ = mine;
        return copy;
    }

    // Copies every inner node that is shared with others.
    void unshare() { unshare(root_); }

    // The nodes from the root to the leaf, if there is such a key. Only a state's leaves prove their keys.
    std::optional<Proof> prove(const Key& key) {
        root_hash();
        const Path path = locate(key);
        if (kind_ != LeafKind::state || path.leaf == nullptr || path.leaf->key != key) {
            return std::nullopt;
        }
        Proof proof;
        for (unsigned depth = 0; depth <= path.depth; ++depth) {
            const SerialInner serial = serialise(inner_at(*path.nodes[depth]).child_hashes());
            proof.emplace_back(serial.begin(), serial.end());
        }
        serialise(kind_, path.leaf->key, path.leaf->payload(), proof.emplace_back());
        return proof;
    }

    // Stores all nodes that changed since the last time. A tree and its snapshots share one store.
    void flush(NodeStore& store) {
        root_hash();
        Bytes serial;
        flush(inner_at(root_), store, serial);
        store.commit();
    }

    // Calls f(inner node, depth) and g(leaf, depth), parents first. Loads what is not there yet.
    template <class F, class G>
    void visit(F&& f, G&& g) const {
        Key path{};
        visit(root_, 0, path, f, g);
    }

    // How many inner nodes have 0, 1, … 16 children.
    std::array<std::uint64_t, 17> children_histogram() const {
        std::array<std::uint64_t, 17> histogram{};
        visit([&histogram](const InnerNode& inner, unsigned) { ++histogram[inner.size()]; },
              [](const LeafNode&, unsigned) {});
        return histogram;
    }

private:
    // The way to where a key is, or would be.
    struct Path {
        std::array<Pointer*, 64> nodes;  // where the pointers to them stand
        unsigned depth;                  // of the last inner node
        LeafNode* leaf;                  // which stands at the key's branch of it; its key may be another
    };

    // One of those that go on in turns: it has asked for the memory that its next step needs.
    struct Search {
        const Pointer* at;  // the pointer to the node that it has come to
        std::size_t key;
        unsigned depth;
        bool has_slot;  // the slot of the child is on its way, no longer the node
    };

    // Enough to have something to do while memory comes, few enough for what comes to stay in the nearest cache.
    static constexpr std::size_t searches_at_once = 16;

    // One step; a leaf or null when it was the last.
    std::optional<const LeafNode*> advance(Search& search, const Key& key) const {
        if (!search.has_slot && (*search.at)->is_leaf()) {
            const auto* const leaf = static_cast<const LeafNode*>(search.at->get());
            return leaf->key == key ? leaf : nullptr;
        }
        const unsigned branch = nibble(key, search.depth);
        if (!search.has_slot) {
            InnerNode::prefetch(*search.at, branch);
            search.has_slot = true;
            return std::nullopt;
        }
        const Pointer* const child = InnerNode::find(*search.at, branch);
        if (child == nullptr) {
            return std::optional<const LeafNode*>(nullptr);
        }
        if (!*child) {
            load_child(*search.at, key, search.depth);
        }
        __builtin_prefetch(child->get());
        search = Search{child, search.key, search.depth + 1, false};
        return std::nullopt;
    }

    Map(LeafKind kind, std::uint32_t owner, Pointer root, NodeStore* source) noexcept
        : kind_(kind), owner_(owner), root_(std::move(root)), source_(source) {}

    static InnerNode& inner_at(const Pointer& pointer) noexcept { return static_cast<InnerNode&>(*pointer); }

    // The number of no tree.
    static constexpr std::uint32_t nobody = 0;

    static std::uint32_t next_owner() {
        static std::atomic<std::uint32_t> last{0};
        const std::uint32_t next = ++last;
        if (next == nobody) {
            // A number that is given twice would let two trees change the same nodes.
            std::terminate();
        }
        return next;
    }

    Path locate(const Key& key) {
        Path path;
        path.depth = 0;
        path.leaf = nullptr;
        path.nodes[0] = &root_;
        for (;;) {
            Pointer& inner = *path.nodes[path.depth];
            const unsigned branch = nibble(key, path.depth);
            const Pointer* const child = InnerNode::find(inner, branch);
            if (child == nullptr) {
                return path;
            }
            if (!*child) {
                load_child(inner, key, path.depth);
            }
            if (InnerNode::leads_to_leaf(inner, branch, *child)) {
                path.leaf = static_cast<LeafNode*>(child->get());
                return path;
            }
            // This tree's own, to change.
            path.nodes[++path.depth] = const_cast<Pointer*>(child);
        }
    }

    // Makes the path this tree's own and says that its hashes are old; gives the pointer to the last inner node. Where it
    // throws, the tree still holds the same leaves.
    Pointer& own(Path& path, const Key& key) {
        for (unsigned depth = 0; depth <= path.depth; ++depth) {
            if (depth > 0) {
                // The one above may be a copy now.
                path.nodes[depth] = &inner_at(*path.nodes[depth - 1]).child(nibble(key, depth - 1));
            }
            own(*path.nodes[depth]);
            (*path.nodes[depth])->content_changed();
        }
        return *path.nodes[path.depth];
    }

    // Of a pointer to an inner node.
    void own(Pointer& pointer) {
        if (inner_at(pointer).owner() != owner_) {
            pointer = InnerNode::copy(owner_, inner_at(pointer));
        }
    }

    void unshare(Pointer& pointer) {
        if (pointer && !pointer->is_leaf()) {
            own(pointer);
            inner_at(pointer).for_each([this](unsigned, const Hash&, Pointer& child) { unshare(child); });
        }
    }

    void compute_hash(InnerNode& inner) {
        ChildHashes hashes{};
        inner.for_each([&](unsigned branch, Hash& hash, const Pointer& child) {
            if (!child) {
                // Known by its hash, and unchanged.
                hashes[branch] = hash;
                return;
            }
            if (!child->is_hashed()) {
                if (child->is_leaf()) {
                    const auto& leaf = static_cast<const LeafNode&>(*child);
                    serialise(kind_, leaf.key, leaf.payload(), scratch_);
                    child->set_hash(sha512_half(scratch_));
                } else {
                    compute_hash(static_cast<InnerNode&>(*child));
                }
            }
            hash = hashes[branch] = child->hash();
        });
        inner.set_hash(inner.size() == 0 ? Hash{} : sha512_half(serialise(hashes)));
    }

    void flush(InnerNode& inner, NodeStore& store, Bytes& serial) {
        if (inner.is_stored() || inner.size() == 0) {
            return;
        }
        inner.for_each([&](unsigned, const Hash& hash, const Pointer& child) {
            if (!child) {
                return;
            }
            if (!child->is_leaf()) {
                flush(static_cast<InnerNode&>(*child), store, serial);
            } else if (!child->is_stored()) {
                const auto& leaf = static_cast<const LeafNode&>(*child);
                serialise(kind_, leaf.key, leaf.payload(), serial);
                store.put(hash, serial);
                child->set_stored();
            }
        });
        store.put(inner.hash(), serialise(inner.child_hashes()));
        inner.set_stored();
    }

    // A node as the store has it, its children known by their hashes alone. Its depth is the number of half-bytes of the
    // path that lead to it.
    Pointer read_node(const Hash& hash, const Key& path, unsigned depth) const {
        const Bytes serial = source_->get(hash);
        Pointer node;
        if (const auto leaf = parse_state_leaf(serial)) {
            for (unsigned i = 0; i < depth; ++i) {
                if (nibble(leaf->key, i) != nibble(path, i)) {
                    throw CorruptStore(hash);
                }
            }
            node = LeafNode::make(leaf->key, leaf->payload);
        } else if (const auto children = parse_inner(serial); children && depth < 64) {
            // No tree's own: the node above may be shared.
            node = InnerNode::make(nobody);
            for (unsigned branch = 0; branch < 16; ++branch) {
                if ((*children)[branch] != Hash{}) {
                    InnerNode::insert(node, branch, (*children)[branch]);
                }
            }
        } else {
            throw CorruptStore(hash);
        }
        node->set_hash(hash);
        node->set_stored();
        return node;
    }

    // The child that a path leads to below a node of a depth. Nothing changes but that it is there: snapshots that share
    // the node have it, too.
    void load_child(const Pointer& parent, const Key& path, unsigned depth) const {
        InnerNode& inner = inner_at(parent);
        const unsigned branch = nibble(path, depth);
        inner.replace(branch, read_node(inner.child_hash(branch), path, depth + 1));
    }

    // Before one of two children goes: the other may have to move up, if it is a leaf.
    void load_sibling(const Pointer& parent, const Key& key, unsigned depth) const {
        InnerNode& inner = inner_at(parent);
        if (inner.size() != 2) {
            return;
        }
        Key path = key;
        bool is_there = true;
        inner.for_each([&](unsigned branch, const Hash&, const Pointer& child) {
            if (!child) {
                set_nibble(path, depth, branch);
                is_there = false;
            }
        });
        if (!is_there) {
            load_child(parent, path, depth);
        }
    }

    template <class F, class G>
    void visit(const Pointer& pointer, unsigned depth, Key& path, F& f, G& g) const {
        const InnerNode& inner = inner_at(pointer);
        f(inner, depth);
        for (unsigned branch = 0; branch < 16; ++branch) {
            const Pointer* const child = InnerNode::find(pointer, branch);
            if (child == nullptr) {
                continue;
            }
            set_nibble(path, depth, branch);
            if (!*child) {
                load_child(pointer, path, depth);
            }
            if ((*child)->is_leaf()) {
                g(static_cast<const LeafNode&>(**child), depth + 1);
            } else {
                visit(*child, depth + 1, path, f, g);
            }
        }
    }

    LeafKind kind_;
    std::uint32_t owner_;
    Pointer root_;
    // Where nodes come from that are known by their hashes alone.
    NodeStore* source_ = nullptr;
    Bytes scratch_;
};

}  // namespace shamap
