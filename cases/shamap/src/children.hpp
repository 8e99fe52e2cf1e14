// Where an inner node keeps its children: for each branch the child's hash and a pointer to it. The mask of branches
// that are present is the node's own.

#pragma once

#include <bit>
#include <cstdint>

#include <deadweight/sparse_array.hpp>

#include "hash.hpp"

namespace shamap {

using Mask = std::uint16_t;

// 16 slots each, whatever is in them.
template <class Pointer>
class DenseChildren {
public:
    Pointer& pointer(Mask, unsigned branch) noexcept { return pointers_[branch]; }
    const Pointer& pointer(Mask, unsigned branch) const noexcept { return pointers_[branch]; }

    void insert(Mask& mask, unsigned branch, Pointer child) {
        pointers_[branch] = std::move(child);
        mask = static_cast<Mask>(mask | 1U << branch);
    }

    void erase(Mask& mask, unsigned branch) noexcept {
        mask = static_cast<Mask>(mask & ~(1U << branch));
        hashes_[branch] = Hash{};
        pointers_[branch] = nullptr;
    }

    // Calls f(branch, hash, pointer).
    template <class F>
    void for_each(Mask mask, F&& f) {
        for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
            const auto branch = static_cast<unsigned>(std::countr_zero(rest));
            f(branch, hashes_[branch], pointers_[branch]);
        }
    }

    template <class F>
    void for_each(Mask mask, F&& f) const {
        for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
            const auto branch = static_cast<unsigned>(std::countr_zero(rest));
            f(branch, hashes_[branch], pointers_[branch]);
        }
    }

private:
    std::array<Hash, 16> hashes_{};
    std::array<Pointer, 16> pointers_{};
};

// Room for those that are present, up to the next of the boundaries.
template <class Pointer, class Boundaries, class Allocator>
class SparseChildren {
public:
    Pointer& pointer(Mask mask, unsigned branch) noexcept { return slots_.template get<0>(mask, branch); }
    const Pointer& pointer(Mask mask, unsigned branch) const noexcept {
        return slots_.template get<0>(mask, branch);
    }

    void insert(Mask& mask, unsigned branch, Pointer child) { slots_.insert(mask, branch, std::move(child), Hash{}); }

    void erase(Mask& mask, unsigned branch) noexcept { slots_.erase(mask, branch); }

    template <class F>
    void for_each(Mask mask, F&& f) {
        slots_.for_each(mask, [&f](unsigned branch, Pointer& pointer, Hash& hash) { f(branch, hash, pointer); });
    }

    template <class F>
    void for_each(Mask mask, F&& f) const {
        slots_.for_each(
            mask, [&f](unsigned branch, const Pointer& pointer, const Hash& hash) { f(branch, hash, pointer); });
    }

private:
    // Pointers first: a search needs no more than them.
    deadweight::basic_sparse_array<Boundaries, Allocator, Pointer, Hash> slots_;
};

}  // namespace shamap
