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

// Not to be used by two threads at a time, but a tree and its snapshots are independent where nodes come from the heap.
template <class V>
class Map {
public:
    using InnerNode = Inner<V>;
    using LeafNode = Leaf<V>;
    using Pointer = typename Node<V>::Pointer;

    explicit Map(LeafKind kind = LeafKind::state)
        : kind_(kind), owner_(next_owner()), root_(InnerNode::make(owner_)) {}

    // The tree that a store has under a root hash. Throws CorruptStore when something of it is missing or not what its
    // hash says.
    static Map load(NodeStore& store, const Hash& root) {
        Map map;
        if (root != Hash{}) {
            map.root_ = map.load_inner(store, root, 0);
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
    const LeafNode* find(const Key& key) const noexcept {
        const Pointer* at = &root_;
        for (unsigned depth = 0;; ++depth) {
            const unsigned branch = nibble(key, depth);
            const Pointer* const child = InnerNode::find(*at, branch);
            if (child == nullptr) {
                return nullptr;
            }
            if (InnerNode::leads_to_leaf(*at, branch, *child)) {
                const auto* const leaf = static_cast<const LeafNode*>(child->get());
                return leaf->key == key ? leaf : nullptr;
            }
            at = child;
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
        Map copy(kind_, next_owner(), root_);
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

    // Calls f(inner node, depth) and g(leaf, depth), parents first.
    template <class F, class G>
    void visit(F&& f, G&& g) const {
        visit(inner_at(root_), 0, f, g);
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

    Map(LeafKind kind, std::uint32_t owner, Pointer root) noexcept
        : kind_(kind), owner_(owner), root_(std::move(root)) {}

    static InnerNode& inner_at(const Pointer& pointer) noexcept { return static_cast<InnerNode&>(*pointer); }

    static std::uint32_t next_owner() {
        static std::atomic<std::uint32_t> last{0};
        const std::uint32_t next = ++last;
        if (next == 0) {
            // A number that is given twice would let two trees change the same nodes.
            std::terminate();
        }
        return next;
    }

    Path locate(const Key& key) noexcept {
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
        if (!pointer->is_leaf()) {
            own(pointer);
            inner_at(pointer).for_each([this](unsigned, const Hash&, Pointer& child) { unshare(child); });
        }
    }

    void compute_hash(InnerNode& inner) {
        ChildHashes hashes{};
        inner.for_each([&](unsigned branch, Hash& hash, const Pointer& child) {
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

    Pointer load_inner(NodeStore& store, const Hash& hash, unsigned depth) {
        const Bytes serial = store.get(hash);
        const auto children = parse_inner(serial);
        if (!children || depth > 63) {
            throw CorruptStore(hash);
        }
        Pointer inner = InnerNode::make(owner_);
        for (unsigned branch = 0; branch < 16; ++branch) {
            const Hash& child = (*children)[branch];
            if (child == Hash{}) {
                continue;
            }
            const Bytes below = store.get(child);
            if (const auto leaf = parse_state_leaf(below)) {
                InnerNode::insert(inner, branch, LeafNode::make(leaf->key, leaf->payload));
            } else {
                InnerNode::insert(inner, branch, load_inner(store, child, depth + 1));
            }
        }
        return inner;
    }

    template <class F, class G>
    void visit(const InnerNode& inner, unsigned depth, F& f, G& g) const {
        f(inner, depth);
        inner.for_each([&](unsigned, const Hash&, const Pointer& child) {
            if (child->is_leaf()) {
                g(static_cast<const LeafNode&>(*child), depth + 1);
            } else {
                visit(static_cast<const InnerNode&>(*child), depth + 1, f, g);
            }
        });
    }

    LeafKind kind_;
    std::uint32_t owner_;
    Pointer root_;
    Bytes scratch_;
};

}  // namespace shamap
