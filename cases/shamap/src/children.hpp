// Where an inner node keeps its children: for each branch the child's hash and a pointer to it. The mask of branches
// that are present is the node's own.

#pragma once

#include <bit>
#include <bitset>
#include <cstdint>
#include <memory>
#include <utility>

#include <deadweight/sparse_array.hpp>

#include "hash.hpp"

namespace shamap {

using Mask = std::uint16_t;

// The mask as a standard bit set keeps it: in a word of 8 bytes.
class BitsetMask {
public:
    operator Mask() const noexcept { return static_cast<Mask>(bits_.to_ulong()); }
    BitsetMask& operator=(Mask mask) noexcept {
        bits_ = mask;
        return *this;
    }

private:
    std::bitset<16> bits_;
};

// 16 slots each, whatever is in them.
template <class Pointer>
class DenseChildren {
public:
    Pointer& pointer(Mask, unsigned branch) noexcept { return pointers_[branch]; }
    const Pointer& pointer(Mask, unsigned branch) const noexcept { return pointers_[branch]; }

    Hash& hash(Mask, unsigned branch) noexcept { return hashes_[branch]; }
    const Hash& hash(Mask, unsigned branch) const noexcept { return hashes_[branch]; }

    void prefetch(Mask, unsigned branch) const noexcept { __builtin_prefetch(&pointers_[branch]); }

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

// What stands at the front of an array. A search needs no more than pointers.
enum class ColumnOrder : std::uint8_t { pointers_first, hashes_first };

// Room for those that are present, up to the next of the boundaries.
template <class Pointer, class Boundaries, class Allocator, ColumnOrder order>
class SparseChildren {
    static constexpr bool pointers_first = order == ColumnOrder::pointers_first;
    static constexpr std::size_t pointers = pointers_first ? 0 : 1;
    static constexpr std::size_t hashes = 1 - pointers;

public:
    Pointer& pointer(Mask mask, unsigned branch) noexcept { return slots_.template get<pointers>(mask, branch); }
    const Pointer& pointer(Mask mask, unsigned branch) const noexcept {
        return slots_.template get<pointers>(mask, branch);
    }

    Hash& hash(Mask mask, unsigned branch) noexcept { return slots_.template get<hashes>(mask, branch); }
    const Hash& hash(Mask mask, unsigned branch) const noexcept { return slots_.template get<hashes>(mask, branch); }

    void prefetch(Mask mask, unsigned branch) const noexcept {
        // Without a child there is no array.
        if (mask != 0) {
            __builtin_prefetch(&slots_.template get<pointers>(mask, branch));
        }
    }

    void insert(Mask& mask, unsigned branch, Pointer child) {
        if constexpr (pointers_first) {
            slots_.insert(mask, branch, std::move(child), Hash{});
        } else {
            slots_.insert(mask, branch, Hash{}, std::move(child));
        }
    }

    void erase(Mask& mask, unsigned branch) noexcept { slots_.erase(mask, branch); }

    template <class F>
    void for_each(Mask mask, F&& f) {
        if constexpr (pointers_first) {
            slots_.for_each(mask, [&f](unsigned branch, Pointer& pointer, Hash& hash) { f(branch, hash, pointer); });
        } else {
            slots_.for_each(mask, f);
        }
    }

    template <class F>
    void for_each(Mask mask, F&& f) const {
        if constexpr (pointers_first) {
            slots_.for_each(
                mask, [&f](unsigned branch, const Pointer& pointer, const Hash& hash) { f(branch, hash, pointer); });
        } else {
            slots_.for_each(mask, f);
        }
    }

private:
    template <class... Columns>
    using Slots = deadweight::basic_sparse_array<Boundaries, Allocator, Columns...>;

    std::conditional_t<pointers_first, Slots<Pointer, Hash>, Slots<Hash, Pointer>> slots_;
};

}  // namespace shamap
