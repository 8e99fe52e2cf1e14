// How nodes are owned.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace shamap {

// std::shared_ptr: 16 bytes a pointer, and a control block of 16 bytes beside each node.
struct SharedPointers {
    template <class T>
    using Pointer = std::shared_ptr<T>;

    struct Counted {
        virtual ~Counted() = default;
    };

    // Inner nodes have no bytes to spare for it.
    static constexpr bool marks_leaves = false;

    template <class T, class... Arguments>
    static Pointer<T> make(Arguments&&... arguments) {
        using Allocator = typename T::Allocator;
        if constexpr (std::is_same_v<Allocator, std::allocator<std::byte>>) {
            return std::make_shared<T>(std::forward<Arguments>(arguments)...);
        } else {
            return std::allocate_shared<T>(Allocator{}, std::forward<Arguments>(arguments)...);
        }
    }
};

// How many own a node. A copy of the node begins anew.
class Count {
public:
    Count() = default;
    Count(const Count&) noexcept {}
    Count& operator=(const Count&) = delete;

    void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
    bool release() const noexcept { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
    bool is_single() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

private:
    mutable std::atomic<std::uint32_t> count_{1};
};

// A count of 4 bytes in the node, and 8 bytes a pointer.
struct IntrusivePointers {
    // Inner nodes have padding to say which children are leaves: a search then knows that it has arrived before it has
    // loaded the leaf.
    static constexpr bool marks_leaves = true;

    class Counted : public Count {
    public:
        virtual ~Counted() = default;
    };

    template <class T>
    class Pointer {
    public:
        Pointer() noexcept = default;
        Pointer(std::nullptr_t) noexcept {}
        Pointer(const Pointer& other) noexcept : target_(other.target_) { retain(); }
        Pointer(Pointer&& other) noexcept : target_(std::exchange(other.target_, nullptr)) {}
        template <class U>
            requires std::is_convertible_v<U*, T*>
        Pointer(Pointer<U> other) noexcept : target_(other.detach()) {}
        Pointer& operator=(Pointer other) noexcept {
            std::swap(target_, other.target_);
            return *this;
        }
        ~Pointer() {
            if (target_ != nullptr && target_->release()) {
                delete target_;
            }
        }

        T* get() const noexcept { return target_; }
        T& operator*() const noexcept { return *target_; }
        T* operator->() const noexcept { return target_; }
        explicit operator bool() const noexcept { return target_ != nullptr; }

        // Takes over the count that a new object begins with.
        static Pointer adopt(T* target) noexcept {
            Pointer pointer;
            pointer.target_ = target;
            return pointer;
        }

        T* detach() noexcept { return std::exchange(target_, nullptr); }

    private:
        void retain() const noexcept {
            if (target_ != nullptr) {
                target_->retain();
            }
        }

        T* target_ = nullptr;
    };

    template <class T, class... Arguments>
    static Pointer<T> make(Arguments&&... arguments) {
        return Pointer<T>::adopt(new T(std::forward<Arguments>(arguments)...));
    }
};

// Counts as the intrusive ones do, and each pointer says what it points to: in its two lowest bits how much room an inner
// node has (it is a `sparse_block`), in the third whether it is a leaf. Nodes need no table of virtual functions then.
struct TaggedPointers {
    using Counted = Count;

    template <class T>
    class Pointer {
    public:
        Pointer() noexcept = default;
        Pointer(std::nullptr_t) noexcept {}
        Pointer(const Pointer& other) noexcept : word_(other.word_) {
            if (word_ != 0) {
                get()->retain();
            }
        }
        Pointer(Pointer&& other) noexcept : word_(std::exchange(other.word_, 0)) {}
        Pointer& operator=(Pointer other) noexcept {
            std::swap(word_, other.word_);
            return *this;
        }
        ~Pointer() {
            if (word_ != 0 && get()->release()) {
                T::destroy(word_ & ~leaf_bit, is_leaf());
            }
        }

        T* get() const noexcept { return reinterpret_cast<T*>(word_ & ~all_bits); }
        T& operator*() const noexcept { return *get(); }
        T* operator->() const noexcept { return get(); }
        explicit operator bool() const noexcept { return word_ != 0; }

        bool is_leaf() const noexcept { return (word_ & leaf_bit) != 0; }
        // With the size of an inner node in the two lowest bits.
        std::uintptr_t block() const noexcept { return word_ & ~leaf_bit; }

        // Takes over the count that a new node begins with.
        static Pointer adopt(std::uintptr_t block, bool is_leaf) noexcept {
            Pointer pointer;
            pointer.word_ = block | (is_leaf ? leaf_bit : 0);
            return pointer;
        }

        // The node has moved, with its count.
        void moved_to(std::uintptr_t block) noexcept { word_ = block; }

    private:
        static constexpr std::uintptr_t leaf_bit = 4;
        static constexpr std::uintptr_t all_bits = 7;

        std::uintptr_t word_ = 0;
    };
};

}  // namespace shamap
