// Nodes of the tree.

#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>

#include "format.hpp"
#include "variants.hpp"

namespace shamap {

template <class V>
class Inner;
template <class V>
class Leaf;

template <class V>
class Node : public V::Pointers::Counted {
public:
    using Pointer = typename V::Pointers::template Pointer<Node>;

    bool is_leaf() const noexcept { return (flags_ & leaf_flag) != 0; }
    // Whether the hash is that of the node's present content.
    bool is_hashed() const noexcept { return (flags_ & hashed_flag) != 0; }
    // Whether the node store has it.
    bool is_stored() const noexcept { return (flags_ & stored_flag) != 0; }

    const Hash& hash() const noexcept { return hash_; }

    void set_hash(const Hash& hash) noexcept {
        hash_ = hash;
        flags_ |= hashed_flag;
    }

    void set_stored() noexcept { flags_ |= stored_flag; }

    void content_changed() noexcept { flags_ &= leaf_flag; }

    // Of pointers that say what they point to.
    static void destroy(std::uintptr_t block, bool is_leaf) noexcept {
        if (is_leaf) {
            delete reinterpret_cast<Leaf<V>*>(block);
        } else {
            Inner<V>::destroy(block);
        }
    }

protected:
    explicit Node(bool is_leaf) noexcept : flags_(is_leaf ? leaf_flag : 0) {}
    Node(const Node&) = default;
    Node& operator=(const Node&) = delete;

private:
    static constexpr std::uint8_t leaf_flag = 1;
    static constexpr std::uint8_t hashed_flag = 2;
    static constexpr std::uint8_t stored_flag = 4;

    Hash hash_{};
    std::uint8_t flags_;
};

// Never changes once it is made.
template <class V>
class Leaf final : public Node<V> {
public:
    using Allocator = Heap;

    Leaf(const Key& k, std::span<const std::uint8_t> payload)
        : Node<V>(true), key(k), payload_(payload.begin(), payload.end()) {}

    static typename Node<V>::Pointer make(const Key& key, std::span<const std::uint8_t> payload) {
        if constexpr (V::is_joined) {
            return Node<V>::Pointer::adopt(reinterpret_cast<std::uintptr_t>(new Leaf(key, payload)), true);
        } else {
            return V::Pointers::template make<Leaf>(key, payload);
        }
    }

    const Key key;

    std::span<const std::uint8_t> payload() const noexcept { return payload_; }

private:
    Bytes payload_;
};

// Which children are leaves, as far as an inner node says so itself.
template <bool Marks>
class LeafMask {
public:
    template <class Pointer>
    bool is_leaf(unsigned branch, const Pointer&) const noexcept {
        return (mask_ >> branch & 1U) != 0;
    }

    void set(unsigned branch, bool is_leaf) noexcept {
        mask_ = static_cast<Mask>((mask_ & ~(1U << branch)) | (is_leaf ? 1U << branch : 0U));
    }

private:
    Mask mask_ = 0;
};

template <>
class LeafMask<false> {
public:
    template <class Pointer>
    bool is_leaf(unsigned, const Pointer& child) const noexcept {
        return child->is_leaf();
    }

    void set(unsigned, bool) noexcept {}
};

// A tree changes only nodes that bear its own number; others are shared with snapshots, and copied first.
//
// What may move a node is given the pointer to it, which nobody shares then.
template <class V>
class Inner final : public Node<V> {
public:
    using Pointer = typename Node<V>::Pointer;
    using Allocator = typename V::InnerAllocator;

    explicit Inner(std::uint32_t owner) noexcept : Node<V>(false), owner_(owner) {}

    // With the same children.
    Inner(std::uint32_t owner, const Inner& other)
        : Node<V>(other), mask_(other.mask_), owner_(owner), leaves_(other.leaves_), children_(other.children_) {}

    static Pointer make(std::uint32_t owner) { return V::Pointers::template make<Inner>(owner); }
    static Pointer copy(std::uint32_t owner, const Inner& other) {
        return V::Pointers::template make<Inner>(owner, other);
    }

    std::uint32_t owner() const noexcept { return owner_; }

    unsigned size() const noexcept { return static_cast<unsigned>(std::popcount(mask())); }
    unsigned first_branch() const noexcept { return static_cast<unsigned>(std::countr_zero(mask())); }

    // The branch must be present.
    Pointer& child(unsigned branch) noexcept { return children_.pointer(mask(), branch); }

    // The branch must be present.
    const Hash& child_hash(unsigned branch) const noexcept { return children_.hash(mask(), branch); }

    // Null when the branch is absent. A child that is known by its hash alone has a null pointer.
    static const Pointer* find(const Pointer& self, unsigned branch) noexcept {
        const auto& inner = static_cast<const Inner&>(*self);
        return (inner.mask() >> branch & 1U) != 0 ? &inner.children_.pointer(inner.mask(), branch) : nullptr;
    }

    // Asks for the memory in which a branch's pointer would stand.
    static void prefetch(const Pointer& self, unsigned branch) noexcept {
        const auto& inner = static_cast<const Inner&>(*self);
        inner.children_.prefetch(inner.mask(), branch);
    }

    // Whether the child at a branch is a leaf.
    static bool leads_to_leaf(const Pointer& self, unsigned branch, const Pointer& child) noexcept {
        return static_cast<const Inner&>(*self).leaves_.is_leaf(branch, child);
    }

    // The branch must be absent. Strong exception safety.
    static void insert(Pointer& self, unsigned branch, Pointer child) {
        auto& inner = static_cast<Inner&>(*self);
        const bool is_leaf = child->is_leaf();
        Mask mask = inner.mask();
        inner.children_.insert(mask, branch, std::move(child));
        inner.mask_ = mask;
        inner.leaves_.set(branch, is_leaf);
    }

    // The same for a child that is known by its hash alone.
    static void insert(Pointer& self, unsigned branch, const Hash& hash) {
        auto& inner = static_cast<Inner&>(*self);
        Mask mask = inner.mask();
        inner.children_.insert(mask, branch, nullptr);
        inner.mask_ = mask;
        inner.children_.hash(mask, branch) = hash;
    }

    // The branch must be present.
    void replace(unsigned branch, Pointer child) noexcept {
        leaves_.set(branch, child->is_leaf());
        children_.pointer(mask(), branch) = std::move(child);
    }

    // The branch must be present.
    static void erase(Pointer& self, unsigned branch) noexcept {
        auto& inner = static_cast<Inner&>(*self);
        inner.leaves_.set(branch, false);
        Mask mask = inner.mask();
        inner.children_.erase(mask, branch);
        inner.mask_ = mask;
    }

    // Calls f(branch, hash, pointer to the child).
    template <class F>
    void for_each(F&& f) {
        children_.for_each(mask(), f);
    }

    template <class F>
    void for_each(F&& f) const {
        children_.for_each(mask(), f);
    }

    // Of the children as they were when hashes were last computed.
    ChildHashes child_hashes() const noexcept {
        ChildHashes hashes{};
        for_each([&hashes](unsigned branch, const Hash& hash, const Pointer&) { hashes[branch] = hash; });
        return hashes;
    }

    static void* operator new(std::size_t) { return Single{}.allocate(1); }
    static void operator delete(void* at) noexcept { Single{}.deallocate(static_cast<Inner*>(at), 1); }
    // Made in place, in the block of a std::shared_ptr.
    static void* operator new(std::size_t, void* at) noexcept { return at; }

private:
    using Single = typename std::allocator_traits<Allocator>::template rebind_alloc<Inner>;

    Mask mask() const noexcept { return mask_; }

    typename V::MaskField mask_{};
    std::uint32_t owner_;
    [[no_unique_address]] LeafMask<V::Pointers::marks_leaves> leaves_;
    typename V::template Children<Pointer> children_;
};

// The head of a block in which the children follow it.
template <class V>
    requires V::is_joined
class Inner<V> final : public Node<V> {
public:
    using Pointer = typename Node<V>::Pointer;

    explicit Inner(std::uint32_t owner) noexcept : Node<V>(false), owner_(owner) {}

    // The head alone.
    Inner(std::uint32_t owner, const Inner& other) noexcept
        : Node<V>(other), mask_(other.mask_), capacity_(other.capacity_), owner_(owner) {}
    Inner(Inner&& other) noexcept : Inner(other.owner_, other) {}

    static Pointer make(std::uint32_t owner) {
        Allocator allocator;
        return pointer_to(Block::create(allocator, 0, owner));
    }

    static Pointer copy(std::uint32_t owner, const Inner& other) {
        Allocator allocator;
        return pointer_to(other.block().copy(allocator, owner, other));
    }

    static void destroy(std::uintptr_t word) noexcept {
        Allocator allocator;
        Block::from_word(word).destroy(allocator);
    }

    std::uint32_t owner() const noexcept { return owner_; }

    unsigned size() const noexcept { return static_cast<unsigned>(std::popcount(mask_)); }
    unsigned first_branch() const noexcept { return static_cast<unsigned>(std::countr_zero(mask_)); }

    // The branch must be present.
    Pointer& child(unsigned branch) noexcept { return block().template get<0>(mask_, branch); }

    // The branch must be present.
    const Hash& child_hash(unsigned branch) const noexcept { return block().template get<1>(mask_, branch); }

    // Null when the branch is absent; a child that is known by its hash alone has a null pointer. What the pointer says of the node is enough to find a child in a full one without
    // looking at its mask: one line of cache less to wait for.
    static const Pointer* find(const Pointer& self, unsigned branch) noexcept {
        const Block block = Block::from_word(self.block());
        if (block.is_full_width()) {
            const Pointer& child = block.template get_full_width<0>(branch);
            if (child) {
                return &child;
            }
        }
        const Mask mask = block.head().mask_;
        return (mask >> branch & 1U) != 0 ? &block.template get<0>(mask, branch) : nullptr;
    }

    // Asks for the memory in which a branch's pointer would stand.
    static void prefetch(const Pointer& self, unsigned branch) noexcept {
        const Block block = Block::from_word(self.block());
        __builtin_prefetch(block.is_full_width() ? &block.template get_full_width<0>(branch)
                                                 : &block.template get<0>(block.head().mask_, branch));
    }

    static bool leads_to_leaf(const Pointer&, unsigned, const Pointer& child) noexcept { return child.is_leaf(); }

    // The branch must be absent. Strong exception safety.
    static void insert(Pointer& self, unsigned branch, Pointer child) {
        assert(self->is_single());
        Allocator allocator;
        Block block = Block::from_word(self.block());
        block.insert(allocator, block.head().mask_, branch, std::move(child), Hash{});
        settle(self, block, [branch](Mask mask) { return mask | 1U << branch; });
    }

    // The same for a child that is known by its hash alone.
    static void insert(Pointer& self, unsigned branch, const Hash& hash) {
        insert(self, branch, Pointer());
        Block::from_word(self.block()).template get<1>(static_cast<const Inner&>(*self).mask_, branch) = hash;
    }

    // The branch must be present.
    void replace(unsigned branch, Pointer to) noexcept { child(branch) = std::move(to); }

    // The branch must be present.
    static void erase(Pointer& self, unsigned branch) noexcept {
        assert(self->is_single());
        Allocator allocator;
        Block block = Block::from_word(self.block());
        [[maybe_unused]] const auto gone = block.erase(allocator, block.head().mask_, branch);
        settle(self, block, [branch](Mask mask) { return mask & ~(1U << branch); });
    }

    // Calls f(branch, hash, pointer to the child).
    template <class F>
    void for_each(F&& f) {
        block().for_each(mask_, [&f](unsigned branch, Pointer& pointer, Hash& hash) { f(branch, hash, pointer); });
    }

    template <class F>
    void for_each(F&& f) const {
        block().for_each(
            mask_, [&f](unsigned branch, const Pointer& pointer, const Hash& hash) { f(branch, hash, pointer); });
    }

    // Of the children as they were when hashes were last computed.
    ChildHashes child_hashes() const noexcept {
        ChildHashes hashes{};
        for_each([&hashes](unsigned branch, const Hash& hash, const Pointer&) { hashes[branch] = hash; });
        return hashes;
    }

private:
    // Pointers first: a search needs no more than them.
    using Block = deadweight::sparse_block<typename V::Boundaries, typename V::InnerAllocator, Inner, Pointer, Hash>;
    using Allocator = typename Block::allocator_type;

    Block block() const noexcept { return Block::of(*this, capacity_); }

    static Pointer pointer_to(Block block) noexcept {
        block.head().capacity_ = static_cast<std::uint8_t>(block.capacity());
        return Pointer::adopt(block.word(), false);
    }

    // After the block may have become another one.
    template <class F>
    static void settle(Pointer& self, Block block, F&& change) noexcept {
        Inner& inner = block.head();
        inner.mask_ = static_cast<Mask>(change(inner.mask_));
        inner.capacity_ = static_cast<std::uint8_t>(block.capacity());
        self.moved_to(block.word());
    }

    Mask mask_ = 0;
    // As in the pointers to it, for those who come by a plain reference.
    std::uint8_t capacity_ = 0;
    std::uint32_t owner_;
};

}  // namespace shamap
