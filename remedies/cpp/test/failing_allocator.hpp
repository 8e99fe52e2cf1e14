// An allocator that counts its blocks and can be told to fail.

#ifndef DEADWEIGHT_TEST_FAILING_ALLOCATOR_HPP
#define DEADWEIGHT_TEST_FAILING_ALLOCATOR_HPP

#include <cstddef>
#include <memory>
#include <new>

template <class T>
struct failing_allocator {
    using value_type = T;
    static inline bool fails = false;
    static inline long blocks = 0;

    failing_allocator() = default;
    template <class U>
    failing_allocator(const failing_allocator<U>&) noexcept {}

    T* allocate(std::size_t count) {
        if (failing_allocator<std::byte>::fails) {
            throw std::bad_alloc();
        }
        ++failing_allocator<std::byte>::blocks;
        return std::allocator<T>{}.allocate(count);
    }
    void deallocate(T* at, std::size_t count) noexcept {
        --failing_allocator<std::byte>::blocks;
        std::allocator<T>{}.deallocate(at, count);
    }
    bool operator==(const failing_allocator&) const = default;
};

#endif
