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

    struct Counted {};

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

// A count of 4 bytes in the node, and 8 bytes a pointer.
struct IntrusivePointers {
    // Inner nodes have padding to say which children are leaves: a search then knows that it has arrived before it has
    // loaded the leaf.
    static constexpr bool marks_leaves = true;

    class Counted {
    public:
        Counted() = default;
        Counted(const Counted&) noexcept {}
        Counted& operator=(const Counted&) = delete;

        void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
        bool release() const noexcept { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    private:
        mutable std::atomic<std::uint32_t> count_{1};
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

}  // namespace shamap
