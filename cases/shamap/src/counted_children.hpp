// Children as the first sketches of a sparse node keep them: the node says in a field of its own how much room there is,
// and points to the hashes and to the children's pointers with two pointers, or with one to both.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "children.hpp"

namespace shamap {

// Two arrays, each with an allocation and a pointer.
template <class Pointer>
class TwoArrays {
public:
    explicit TwoArrays(unsigned room) : hashes_(new Hash[room]{}), pointers_(new Pointer[room]{}) {}
    TwoArrays() noexcept = default;

    Hash* hashes(unsigned) const noexcept { return hashes_.get(); }
    Pointer* pointers(unsigned) const noexcept { return pointers_.get(); }
    void free(unsigned) noexcept {}

private:
    std::unique_ptr<Hash[]> hashes_;
    std::unique_ptr<Pointer[]> pointers_;
};

// The pointers stand behind the hashes, which are 32 bytes each, so that pointers are aligned there.
template <class Pointer>
class OneArray {
public:
    explicit OneArray(unsigned room) : both_(static_cast<std::byte*>(::operator new(room * slot))) {
        std::uninitialized_value_construct_n(hashes(room), room);
        std::uninitialized_value_construct_n(pointers(room), room);
    }
    OneArray() noexcept = default;
    OneArray(OneArray&& other) noexcept : both_(std::exchange(other.both_, nullptr)) {}
    OneArray& operator=(OneArray&& other) noexcept {
        std::swap(both_, other.both_);
        return *this;
    }

    Hash* hashes(unsigned) const noexcept { return reinterpret_cast<Hash*>(both_); }
    Pointer* pointers(unsigned room) const noexcept { return reinterpret_cast<Pointer*>(both_ + room * sizeof(Hash)); }

    // The array does not know how long it is.
    void free(unsigned room) noexcept {
        if (both_ != nullptr) {
            std::destroy_n(pointers(room), room);
            ::operator delete(both_);
        }
    }

private:
    static constexpr std::size_t slot = sizeof(Hash) + sizeof(Pointer);

    std::byte* both_ = nullptr;
};

template <class Pointer, class Boundaries, template <class> class Arrays>
class CountedChildren {
public:
    CountedChildren() noexcept = default;
    CountedChildren(const CountedChildren& other) : arrays_(other.copied()), room_(other.room_) {}
    CountedChildren& operator=(const CountedChildren&) = delete;
    ~CountedChildren() { arrays_.free(room_); }

    Pointer& pointer(Mask mask, unsigned branch) noexcept { return arrays_.pointers(room_)[place(mask, branch)]; }
    const Pointer& pointer(Mask mask, unsigned branch) const noexcept {
        return arrays_.pointers(room_)[place(mask, branch)];
    }

    Hash& hash(Mask mask, unsigned branch) noexcept { return arrays_.hashes(room_)[place(mask, branch)]; }
    const Hash& hash(Mask mask, unsigned branch) const noexcept { return arrays_.hashes(room_)[place(mask, branch)]; }

    void prefetch(Mask mask, unsigned branch) const noexcept {
        __builtin_prefetch(arrays_.pointers(room_) + place(mask, branch));
    }

    void insert(Mask& mask, unsigned branch, Pointer child) {
        const auto wider = static_cast<Mask>(mask | 1U << branch);
        move_to(mask, wider, room_for(wider));
        mask = wider;
        pointer(mask, branch) = std::move(child);
    }

    // The arrays stay as large as they are where smaller ones cannot be had.
    void erase(Mask& mask, unsigned branch) noexcept {
        const auto narrower = static_cast<Mask>(mask & ~(1U << branch));
        const Pointer gone = std::move(pointer(mask, branch));
        try {
            move_to(mask, narrower, room_for(narrower));
        } catch (const std::bad_alloc&) {
            move_to(mask, narrower, room_);
        }
        mask = narrower;
    }

    // Calls f(branch, hash, pointer).
    template <class F>
    void for_each(Mask mask, F&& f) const {
        for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
            const auto branch = static_cast<unsigned>(std::countr_zero(rest));
            const unsigned at = place(mask, branch);
            f(branch, arrays_.hashes(room_)[at], arrays_.pointers(room_)[at]);
        }
    }

private:
    static unsigned room_for(Mask mask) noexcept {
        const auto count = static_cast<unsigned>(std::popcount(mask));
        return count == 0 ? 0 : *std::ranges::lower_bound(Boundaries::capacities, count);
    }

    static unsigned place(Mask mask, unsigned branch, unsigned room) noexcept {
        return room == Boundaries::branches
                   ? branch
                   : static_cast<unsigned>(std::popcount(static_cast<Mask>(mask & ((1U << branch) - 1U))));
    }

    unsigned place(Mask mask, unsigned branch) const noexcept { return place(mask, branch, room_); }

    Arrays<Pointer> copied() const {
        if (room_ == 0) {
            return {};
        }
        Arrays<Pointer> copy(room_);
        std::copy_n(arrays_.hashes(room_), room_, copy.hashes(room_));
        std::copy_n(arrays_.pointers(room_), room_, copy.pointers(room_));
        return copy;
    }

    // Those that are in both masks, to where they stand then.
    void move_to(Mask before, Mask after, unsigned room) {
        const bool stays = room == room_;
        if (stays && room == Boundaries::branches) {
            if (const auto gone = static_cast<Mask>(before & ~after); gone != 0) {
                arrays_.hashes(room)[std::countr_zero(gone)] = Hash{};
            }
            return;
        }
        std::array<std::pair<Hash, Pointer>, 16> kept;
        Arrays<Pointer> fresh;
        if (!stays && room != 0) {
            fresh = Arrays<Pointer>(room);
        }
        const auto both = static_cast<Mask>(before & after);
        for (unsigned rest = both; rest != 0; rest &= rest - 1) {
            const auto branch = static_cast<unsigned>(std::countr_zero(rest));
            const unsigned from = place(before, branch);
            kept[branch] = {arrays_.hashes(room_)[from], std::move(arrays_.pointers(room_)[from])};
        }
        if (stays) {
            std::fill_n(arrays_.hashes(room), room, Hash{});
        } else {
            arrays_.free(room_);
            arrays_ = Arrays<Pointer>();
            arrays_ = std::move(fresh);
            room_ = static_cast<std::uint8_t>(room);
        }
        for (unsigned rest = both; rest != 0; rest &= rest - 1) {
            const auto branch = static_cast<unsigned>(std::countr_zero(rest));
            const unsigned to = place(after, branch);
            arrays_.hashes(room_)[to] = kept[branch].first;
            arrays_.pointers(room_)[to] = std::move(kept[branch].second);
        }
    }

    Arrays<Pointer> arrays_;
    std::uint8_t room_ = 0;
};

}  // namespace shamap
