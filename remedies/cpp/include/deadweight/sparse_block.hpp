// A node and its slots in one allocation: a head, and behind it up to 16 branches, of which mostly few are present.
//
// The values of the branches that are present stand as parallel arrays (one for each column), with room for one of up
// to four capacities. Which capacity it is stands in the two lowest bits of the pointer. Which branches are present
// stands in a 16-bit mask that the owner holds, in the head for example; a branch's place is the number of branches
// present below it.

#ifndef DEADWEIGHT_SPARSE_BLOCK_HPP
#define DEADWEIGHT_SPARSE_BLOCK_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace deadweight {

// The capacities an allocation can have: one to four, ascending. The last is the number of branches; in an allocation
// of that capacity every branch stands at its own place, so that nothing is counted and nothing is moved.
template <unsigned... Capacities>
struct boundaries {
    static constexpr std::array<unsigned, sizeof...(Capacities)> capacities{Capacities...};
    static constexpr unsigned branches = capacities.back();
    // How much room must be left in an allocation for `erase` to move to it.
    static constexpr unsigned spare = 0;

    static_assert(sizeof...(Capacities) >= 1 && sizeof...(Capacities) <= 4, "a tag of two bits names four sizes");
    static_assert(capacities.front() >= 1 && capacities.back() <= 16, "a mask of 16 bits names 16 branches");
    static_assert(std::ranges::is_sorted(capacities, std::ranges::less_equal{}) &&
                      std::ranges::adjacent_find(capacities) == capacities.end(),
                  "capacities ascend");
};

// The same, but an allocation becomes smaller only when that leaves room for `Spare` more: what goes to and fro across a
// boundary stays where it is.
template <class Boundaries, unsigned Spare = 1>
struct shrinks_late : Boundaries {
    static constexpr unsigned spare = Spare;
};

// Slots alone.
struct no_head {};

// Like a plain pointer: copies point to the same block, and nobody but the owner creates, changes and destroys it.
// `sparse_array` is such an owner, for slots alone; a reference-counting pointer to tree nodes may be another.
//
// Two bits of the word are the tag. The next one is always clear: blocks are aligned to 8 bytes.
//
// Slots that are not used hold value-initialised columns, so that copying and destroying need no mask.
template <class Boundaries, class Allocator, class Head, class... Columns>
class sparse_block {
    static_assert(sizeof...(Columns) >= 1);
    static_assert((std::is_nothrow_default_constructible_v<Columns> && ...),
                  "unused slots hold value-initialised columns");
    static_assert((std::is_nothrow_move_constructible_v<Columns> && ...) &&
                      (std::is_nothrow_move_assignable_v<Columns> && ...),
                  "values move between allocations, which must not fail half way");

    // A node may be its own head: then it is not complete yet.
    static constexpr bool has_head = !std::is_same_v<Head, no_head>;
    static constexpr std::size_t alignment = std::max({alignof(Columns)..., std::size_t{8}});

    struct alignas(alignment) unit {
        std::byte bytes[alignment];
    };

    using traits = typename std::allocator_traits<Allocator>::template rebind_traits<unit>;
    static_assert(std::is_same_v<typename traits::pointer, unit*>, "the tag needs plain pointers");

    static constexpr std::uintptr_t tag_bits = 3;
    static constexpr unsigned classes = Boundaries::capacities.size();

    template <std::size_t I>
    using column_type = std::tuple_element_t<I, std::tuple<Columns...>>;

public:
    using mask_type = std::uint16_t;
    // What functions that allocate or free are given.
    using allocator_type = typename traits::allocator_type;
    static constexpr unsigned branches = Boundaries::branches;

    // Points to no block.
    constexpr sparse_block() noexcept = default;

    // Of what `word` gave.
    static constexpr sparse_block from_word(std::uintptr_t word) noexcept { return sparse_block(word); }

    // Of a head that stands in a block, and the block's capacity.
    static sparse_block of(const Head& head, unsigned capacity) noexcept
        requires(!std::is_same_v<Head, no_head>)
    {
        return sparse_block(reinterpret_cast<std::uintptr_t>(&head) | class_for(capacity));
    }

    // A new block of the smallest capacity that has room for `count`, with no branches; the head is made of the
    // arguments. Throws what the allocator and the head throw.
    template <class... Arguments>
    static sparse_block create(allocator_type& allocator, unsigned count, Arguments&&... head) {
        return make(allocator, class_for(count), std::forward<Arguments>(head)...);
    }

    // A new block of the same capacity with copies of the columns; the head is made of the arguments. Throws what the
    // allocator, the head and the columns' copies throw.
    template <class... Arguments>
    sparse_block copy(allocator_type& allocator, Arguments&&... head) const {
        sparse_block fresh = make(allocator, size_class(), std::forward<Arguments>(head)...);
        try {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (std::copy_n(column<I>(), capacity(), fresh.template column<I>()), ...);
            }(std::index_sequence_for<Columns...>{});
        } catch (...) {
            fresh.destroy(allocator);
            throw;
        }
        return fresh;
    }

    // The block and all values; points to no block then. Nothing when there is none.
    void destroy(allocator_type& allocator) noexcept {
        const sparse_block old(std::exchange(word_, 0));
        if (old) {
            const unsigned room = old.capacity();
            old.columns([room](auto* values) { std::destroy_n(values, room); });
            if constexpr (has_head) {
                std::destroy_at(&old.head());
            }
            traits::deallocate(allocator, old.start(), units(room));
        }
    }

    explicit operator bool() const noexcept { return word_ != 0; }
    friend bool operator==(sparse_block, sparse_block) noexcept = default;

    // The pointer with its tag; 0 for no block.
    std::uintptr_t word() const noexcept { return word_; }

    // There must be a block.
    Head& head() const noexcept
        requires(!std::is_same_v<Head, no_head>)
    {
        return *std::launder(reinterpret_cast<Head*>(word_ & ~tag_bits));
    }

    // How many branches there is room for: one of the boundaries, or 0.
    unsigned capacity() const noexcept { return word_ == 0 ? 0 : Boundaries::capacities[size_class()]; }

    // Whether every branch has a place of its own.
    bool is_full_width() const noexcept { return word_ != 0 && size_class() == classes - 1; }

    // What the allocation takes, without what the allocator adds.
    std::size_t allocated_bytes() const noexcept { return word_ == 0 ? 0 : units(capacity()) * sizeof(unit); }

    // A column's value for a branch, which must be present.
    template <std::size_t I>
    column_type<I>& get(mask_type mask, unsigned branch) const noexcept {
        return column<I>()[place(mask, branch)];
    }

    // In a block of full width, whatever the mask: the branch's value, value-initialised where it is absent. A search
    // that comes here by a tagged pointer loads nothing else of the node.
    template <std::size_t I>
    column_type<I>& get_full_width(unsigned branch) const noexcept {
        return std::launder(reinterpret_cast<column_type<I>*>(
            (word_ & ~tag_bits) + offset<I>(Boundaries::branches)))[branch];
    }

    // Calls f(branch, columns...) for each branch that is present, in ascending order.
    template <class F>
    void for_each(mask_type mask, F&& f) const {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            unsigned next = 0;
            for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
                const auto branch = static_cast<unsigned>(std::countr_zero(rest));
                const unsigned slot = is_full_width() ? branch : next++;
                f(branch, column<I>()[slot]...);
            }
        }(std::index_sequence_for<Columns...>{});
    }

    // Adds a branch, which must be absent; its bit in the mask is the caller's to set. The block may become another
    // one: then the head has moved. Throws what the allocator throws; then nothing has changed.
    void insert(allocator_type& allocator, mask_type mask, unsigned branch, Columns... values) {
        const auto wider = static_cast<mask_type>(mask | bit(branch));
        const auto present = static_cast<unsigned>(std::popcount(mask));
        if (present == capacity()) {
            reshape(allocator, make_from_head(allocator, class_for(present + 1)), mask, wider);
        } else if (!is_full_width()) {
            const unsigned gap = rank(mask, branch);
            for (unsigned slot = present; slot > gap; --slot) {
                move_slot(slot - 1, *this, slot);
            }
        }
        put(place(wider, branch), std::move(values)...);
    }

    // Makes room for `count` branches, if there is less. The block may become another one, as with `insert`; the next
    // `erase` may make it smaller again. Throws what the allocator throws; then nothing has changed.
    void reserve(allocator_type& allocator, mask_type mask, unsigned count) {
        if (count > capacity()) {
            reshape(allocator, make_from_head(allocator, class_for(count)), mask, mask);
        }
    }

    // Takes a branch, which must be present, away and gives its values; its bit in the mask is the caller's to clear.
    // The block becomes a smaller one when that will do and can be had; otherwise it stays.
    std::tuple<Columns...> erase(allocator_type& allocator, mask_type mask, unsigned branch) noexcept {
        const auto narrower = static_cast<mask_type>(mask & ~bit(branch));
        const auto left = static_cast<unsigned>(std::popcount(narrower));
        const unsigned slot = place(mask, branch);
        auto gone = take(slot, std::index_sequence_for<Columns...>{});
        const unsigned wanted = std::min(left + Boundaries::spare, branches);
        if (const sparse_block smaller = try_make_smaller(allocator, class_for(wanted))) {
            reshape(allocator, smaller, mask, narrower);
        } else if (!is_full_width()) {
            for (unsigned next = slot; next < left; ++next) {
                move_slot(next + 1, *this, next);
            }
            put(left, Columns{}...);
        }
        return gone;
    }

    // Moves head and values to a new block of the same capacity, from another allocator. Throws what that throws; then
    // nothing has changed.
    sparse_block move_to(allocator_type& allocator) {
        const sparse_block fresh = make_from_head(allocator, size_class());
        for (unsigned slot = 0; slot < capacity(); ++slot) {
            move_slot(slot, fresh, slot);
        }
        return fresh;
    }

private:
    constexpr explicit sparse_block(std::uintptr_t word) noexcept : word_(word) {}

    static constexpr mask_type bit(unsigned branch) noexcept { return static_cast<mask_type>(1U << branch); }

    static unsigned rank(mask_type mask, unsigned branch) noexcept {
        return static_cast<unsigned>(std::popcount(static_cast<mask_type>(mask & (bit(branch) - 1U))));
    }

    static constexpr unsigned class_for(unsigned count) noexcept {
        unsigned size_class = 0;
        while (Boundaries::capacities[size_class] < count) {
            ++size_class;
        }
        return size_class;
    }

    // Where column I starts; `offset<number of columns>` is where all end.
    template <std::size_t I>
    static constexpr std::size_t offset(std::size_t capacity) noexcept {
        constexpr std::array<std::size_t, sizeof...(Columns)> sizes{sizeof(Columns)...};
        constexpr std::array<std::size_t, sizeof...(Columns) + 1> alignments{alignof(Columns)..., alignment};
        std::size_t at = has_head ? round_up(sizeof(Head), alignments[0]) : 0;
        for (std::size_t i = 0; i < I; ++i) {
            at = round_up(at + sizes[i] * capacity, alignments[i + 1]);
        }
        return at;
    }

    static constexpr std::size_t round_up(std::size_t bytes, std::size_t to) noexcept {
        return (bytes + to - 1) / to * to;
    }

    static constexpr std::size_t units(std::size_t capacity) noexcept {
        return offset<sizeof...(Columns)>(capacity) / sizeof(unit);
    }

    unsigned size_class() const noexcept { return static_cast<unsigned>(word_ & tag_bits); }

    unit* start() const noexcept { return reinterpret_cast<unit*>(word_ & ~tag_bits); }

    unsigned place(mask_type mask, unsigned branch) const noexcept {
        // As if all were present where each has a place of its own; a jump would be hard to foresee.
        const unsigned full_width = size_class() == classes - 1 ? 1U : 0U;
        return rank(static_cast<mask_type>(mask | (0U - full_width)), branch);
    }

    template <std::size_t I>
    column_type<I>* column() const noexcept {
        auto* const start = reinterpret_cast<std::byte*>(word_ & ~tag_bits);
        if constexpr (I == 0) {
            return std::launder(reinterpret_cast<column_type<0>*>(start + offset<0>(0)));
        } else {
            return std::launder(
                reinterpret_cast<column_type<I>*>(start + offset<I>(Boundaries::capacities[size_class()])));
        }
    }

    // Calls f(pointer to the column)... for all columns.
    template <class F>
    void columns(F&& f) const {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (f(column<I>()), ...);
        }(std::index_sequence_for<Columns...>{});
    }

    void put(unsigned slot, Columns... values) const noexcept {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((column<I>()[slot] = std::move(values)), ...);
        }(std::index_sequence_for<Columns...>{});
    }

    void move_slot(unsigned slot, sparse_block to, unsigned to_slot) const noexcept {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((to.template column<I>()[to_slot] = std::move(column<I>()[slot])), ...);
        }(std::index_sequence_for<Columns...>{});
    }

    // The values of a slot, which is value-initialised again.
    template <std::size_t... I>
    std::tuple<Columns...> take(unsigned slot, std::index_sequence<I...>) const noexcept {
        std::tuple<Columns...> values{std::move(column<I>()[slot])...};
        ((column<I>()[slot] = column_type<I>{}), ...);
        return values;
    }

    // A new block, all slots value-initialised.
    template <class... Arguments>
    static sparse_block make(allocator_type& allocator, unsigned size_class, Arguments&&... head) {
        const unsigned room = Boundaries::capacities[size_class];
        unit* const fresh = traits::allocate(allocator, units(room));
        const sparse_block block(reinterpret_cast<std::uintptr_t>(fresh) | size_class);
        if constexpr (has_head) {
            static_assert(alignof(Head) <= alignment, "blocks are aligned as their columns are");
            try {
                ::new (static_cast<void*>(fresh)) Head(std::forward<Arguments>(head)...);
            } catch (...) {
                traits::deallocate(allocator, fresh, units(room));
                throw;
            }
        } else {
            static_assert(sizeof...(Arguments) == 0);
        }
        block.columns([room](auto* values) { std::uninitialized_value_construct_n(values, room); });
        return block;
    }

    sparse_block make_from_head(allocator_type& allocator, unsigned size_class) const {
        if constexpr (!has_head) {
            return make(allocator, size_class);
        } else {
            static_assert(std::is_nothrow_move_constructible_v<Head>,
                          "heads move between allocations, which must not fail half way");
            return make(allocator, size_class, std::move(head()));
        }
    }

    // None when the block is as small as can be, or no smaller one can be had.
    sparse_block try_make_smaller(allocator_type& allocator, unsigned wanted) const noexcept {
        if (wanted >= size_class()) {
            return {};
        }
        try {
            return make_from_head(allocator, wanted);
        } catch (...) {
            return {};
        }
    }

    // Moves the branches that are in both masks to a new block, which replaces the old one.
    void reshape(allocator_type& allocator, sparse_block fresh, mask_type before, mask_type after) noexcept {
        for (unsigned rest = before & after; rest != 0; rest &= rest - 1) {
            const auto branch = static_cast<unsigned>(std::countr_zero(rest));
            move_slot(place(before, branch), fresh, fresh.place(after, branch));
        }
        destroy(allocator);
        *this = fresh;
    }

    std::uintptr_t word_ = 0;
};

}  // namespace deadweight

#endif
