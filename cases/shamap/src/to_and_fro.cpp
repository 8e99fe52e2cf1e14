// Counts the allocations of a sparse array that grows and shrinks across its boundaries, and says how long it takes:
// as it is, when it shrinks late, and with room reserved beforehand. Prints JSON.

#include <chrono>
#include <iostream>
#include <memory>

#include <deadweight/sparse_array.hpp>

#include "hash.hpp"
#include "variants.hpp"

namespace {

std::size_t allocations = 0;

template <class T>
struct CountingAllocator {
    using value_type = T;

    CountingAllocator() noexcept = default;
    template <class U>
    CountingAllocator(const CountingAllocator<U>&) noexcept {}

    T* allocate(std::size_t count) {
        ++allocations;
        return std::allocator<T>().allocate(count);
    }
    void deallocate(T* at, std::size_t count) noexcept { std::allocator<T>().deallocate(at, count); }

    template <class U>
    bool operator==(const CountingAllocator<U>&) const noexcept {
        return true;
    }
};

template <class Boundaries>
using Array = deadweight::basic_sparse_array<Boundaries, CountingAllocator<std::byte>, std::shared_ptr<int>, shamap::Hash>;

constexpr unsigned rounds = 100'000;

void print(const char* name, const char* end, auto&& work) {
    allocations = 0;
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    std::cout << "\"" << name << "\": {\"allocations\": " << static_cast<double>(allocations) / rounds
              << ", \"ns\": " << took.count() / rounds << "}" << end;
}

// A child comes and goes where every boundary is crossed.
template <class Boundaries>
void across_boundaries() {
    for (const unsigned least : {2U, 4U, 6U}) {
        Array<Boundaries> array;
        std::uint16_t mask = 0;
        for (unsigned branch = 0; branch < least; ++branch) {
            array.insert(mask, branch, nullptr, shamap::Hash{});
        }
        for (unsigned round = 0; round < rounds / 3; ++round) {
            array.insert(mask, least, nullptr, shamap::Hash{});
            array.erase(mask, least);
        }
    }
}

template <class Boundaries>
void fill(bool reserves) {
    for (unsigned round = 0; round < rounds; ++round) {
        Array<Boundaries> array;
        std::uint16_t mask = 0;
        if (reserves) {
            array.reserve(mask, 16);
        }
        for (unsigned branch = 0; branch < 16; ++branch) {
            array.insert(mask, branch, nullptr, shamap::Hash{});
        }
    }
}

}  // namespace

int main() {
    using Four = shamap::Four;
    std::cout << "{";
    print("to_and_fro", ", ", across_boundaries<Four>);
    print("to_and_fro_shrinks_late", ", ", across_boundaries<deadweight::shrinks_late<Four>>);
    print("fill", ", ", [] { fill<Four>(false); });
    print("fill_reserved", "}", [] { fill<Four>(true); });
    std::cout << std::endl;
}
