// Nodes of the tree.

#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <new>

#include "format.hpp"
#include "variants.hpp"

namespace shamap {

template <class V>
class Inner;

template <class V>
class Node : public V::Pointers::Counted {
public:
    using Pointer = typename V::Pointers::template Pointer<Node>;

    virtual ~Node() = default;

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
template <class V>
class Inner final : public Node<V> {
public:
    using Pointer = typename Node<V>::Pointer;
    using Allocator = typename V::InnerAllocator;

    explicit Inner(std::uint32_t owner) noexcept : Node<V>(false), owner_(owner) {}

    // With the same children.
    Inner(std::uint32_t owner, const Inner& other)
        : Node<V>(other), mask_(other.mask_), owner_(owner), leaves_(other.leaves_), children_(other.children_) {}

    std::uint32_t owner() const noexcept { return owner_; }

    bool has(unsigned branch) const noexcept { return (mask_ >> branch & 1U) != 0; }
    unsigned size() const noexcept { return static_cast<unsigned>(std::popcount(mask_)); }

    // The branch must be present.
    const Pointer& child(unsigned branch) const noexcept { return children_.pointer(mask_, branch); }

    bool leads_to_leaf(unsigned branch) const noexcept { return leaves_.is_leaf(branch, child(branch)); }

    unsigned first_branch() const noexcept { return static_cast<unsigned>(std::countr_zero(mask_)); }

    // The branch must be absent. Strong exception safety.
    void insert(unsigned branch, Pointer child) {
        const bool is_leaf = child->is_leaf();
        children_.insert(mask_, branch, std::move(child));
        leaves_.set(branch, is_leaf);
    }

    // The branch must be present.
    void replace(unsigned branch, Pointer child) noexcept {
        leaves_.set(branch, child->is_leaf());
        children_.pointer(mask_, branch) = std::move(child);
    }

    // The branch must be present.
    void erase(unsigned branch) noexcept {
        leaves_.set(branch, false);
        children_.erase(mask_, branch);
    }

    // Calls f(branch, hash, pointer to the child).
    template <class F>
    void for_each(F&& f) {
        children_.for_each(mask_, f);
    }

    template <class F>
    void for_each(F&& f) const {
        children_.for_each(mask_, f);
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

    Mask mask_ = 0;
    std::uint32_t owner_;
    [[no_unique_address]] LeafMask<V::Pointers::marks_leaves> leaves_;
    typename V::template Children<Pointer> children_;
};

}  // namespace shamap
