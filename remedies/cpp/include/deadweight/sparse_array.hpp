// A sparse array in one tagged pointer: up to 16 branches, of which mostly few are present.
//
// The values of the branches that are present stand in one allocation, as parallel arrays (one for each column), with
// room for one of up to four capacities. Which capacity it is stands in the two lowest bits of the pointer. Which
// branches are present stands in a 16-bit mask that the owner holds (it often has two bytes of padding to spare); a
// branch's place is the number of branches present below it.

#ifndef DEADWEIGHT_SPARSE_ARRAY_HPP
#define DEADWEIGHT_SPARSE_ARRAY_HPP

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

    static_assert(sizeof...(Capacities) >= 1 && sizeof...(Capacities) <= 4, "a tag of two bits names four sizes");
    static_assert(capacities.front() >= 1 && capacities.back() <= 16, "a mask of 16 bits names 16 branches");
    static_assert(std::ranges::is_sorted(capacities, std::ranges::less_equal{}) &&
                      std::ranges::adjacent_find(capacities) == capacities.end(),
                  "capacities ascend");
};

// A regular type of the size of a pointer (and of the allocator, if that has a state). Two threads may read it, as
// with any container.
//
// Slots that are not used hold value-initialised columns, so that copying and destroying need no mask.
template <class Boundaries, class Allocator, class... Columns>
class basic_sparse_array {
    static_assert(sizeof...(Columns) >= 1);
    static_assert((std::is_nothrow_default_constructible_v<Columns> && ...),
                  "unused slots hold value-initialised columns");
    static_assert((std::is_nothrow_move_constructible_v<Columns> && ...) &&
                      (std::is_nothrow_move_assignable_v<Columns> && ...),
                  "values move between allocations, which must not fail half way");

    static constexpr std::size_t alignment = std::max({alignof(Columns)..., std::size_t{8}});

    struct alignas(alignment) unit {
        std::byte bytes[alignment];
    };

    using traits = typename std::allocator_traits<Allocator>::template rebind_traits<unit>;
    using unit_allocator = typename traits::allocator_type;
    static_assert(std::is_same_v<typename traits::pointer, unit*>, "the tag needs plain pointers");

    static constexpr std::uintptr_t tag_bits = 3;
    static constexpr unsigned classes = Boundaries::capacities.size();

    template <std::size_t I>
    using column_type = std::tuple_element_t<I, std::tuple<Columns...>>;

public:
    using mask_type = std::uint16_t;
    using allocator_type = Allocator;
    static constexpr unsigned branches = Boundaries::branches;

    // Allocates nothing.
    basic_sparse_array() noexcept(std::is_nothrow_default_constructible_v<unit_allocator>) = default;

    explicit basic_sparse_array(const Allocator& allocator) noexcept : allocator_(allocator) {}

    // As large as the other, and with equal columns. Throws what the allocator and the columns' copies throw.
    basic_sparse_array(const basic_sparse_array& other)
        : allocator_(traits::select_on_container_copy_construction(other.allocator_)) {
        copy_from(other);
    }

    basic_sparse_array(basic_sparse_array&& other) noexcept
        : allocator_(std::move(other.allocator_)), tagged_(std::exchange(other.tagged_, 0)) {}

    // Strong exception safety.
    basic_sparse_array& operator=(const basic_sparse_array& other) {
        if (this != &other) {
            constexpr bool propagates = traits::propagate_on_container_copy_assignment::value;
            basic_sparse_array copy{Allocator(propagates ? other.allocator_ : allocator_)};
            copy.copy_from(other);
            if constexpr (propagates) {
                clear_block();
                allocator_ = other.allocator_;
            }
            std::swap(tagged_, copy.tagged_);
        }
        return *this;
    }

    // Allocates only where the allocators differ and stay with their arrays; throws then what allocating throws.
    basic_sparse_array& operator=(basic_sparse_array&& other) noexcept(
        traits::propagate_on_container_move_assignment::value || traits::is_always_equal::value) {
        if (this == &other) {
            return *this;
        }
        if constexpr (traits::propagate_on_container_move_assignment::value) {
            clear_block();
            allocator_ = std::move(other.allocator_);
            tagged_ = std::exchange(other.tagged_, 0);
        } else if (allocator_ == other.allocator_) {
            clear_block();
            tagged_ = std::exchange(other.tagged_, 0);
        } else {
            const std::uintptr_t fresh = other.tagged_ == 0 ? 0 : make(other.size_class());
            for (unsigned slot = 0; slot < other.capacity(); ++slot) {
                move_slot(other.tagged_, slot, fresh, slot);
            }
            clear_block();
            tagged_ = fresh;
            other.clear_block();
        }
        return *this;
    }

    ~basic_sparse_array() { clear_block(); }

    // Of arrays whose allocators are equal or are swapped with them.
    friend void swap(basic_sparse_array& one, basic_sparse_array& other) noexcept {
        if constexpr (traits::propagate_on_container_swap::value) {
            std::swap(one.allocator_, other.allocator_);
        }
        std::swap(one.tagged_, other.tagged_);
    }

    // How many branches there is room for: one of the boundaries, or 0.
    unsigned capacity() const noexcept { return capacity_of(tagged_); }

    // What the allocation takes, without what the allocator adds.
    std::size_t allocated_bytes() const noexcept {
        return tagged_ == 0 ? 0 : units(capacity()) * sizeof(unit);
    }

    Allocator get_allocator() const noexcept { return Allocator(allocator_); }

    // A column's value for a branch, which must be present.
    template <std::size_t I>
    column_type<I>& get(mask_type mask, unsigned branch) noexcept {
        return column<I>(tagged_)[place(tagged_, mask, branch)];
    }

    template <std::size_t I>
    const column_type<I>& get(mask_type mask, unsigned branch) const noexcept {
        return column<I>(tagged_)[place(tagged_, mask, branch)];
    }

    // Calls f(branch, columns...) for each branch that is present, in ascending order.
    template <class F>
    void for_each(mask_type mask, F&& f) {
        each(tagged_, mask, f);
    }

    template <class F>
    void for_each(mask_type mask, F&& f) const {
        each(tagged_, mask, [&f](unsigned branch, const Columns&... values) { f(branch, values...); });
    }

    // Adds a branch, which must not be present, and its bit in the mask. Throws what the allocator throws; then nothing
    // has changed. References to other values become invalid.
    void insert(mask_type& mask, unsigned branch, Columns... values) {
        const auto wider = static_cast<mask_type>(mask | bit(branch));
        const auto present = static_cast<unsigned>(std::popcount(mask));
        if (present == capacity()) {
            reshape(make(class_for(present + 1)), mask, wider);
        } else if (!is_full_width(tagged_)) {
            const unsigned gap = rank(mask, branch);
            for (unsigned slot = present; slot > gap; --slot) {
                move_slot(tagged_, slot - 1, tagged_, slot);
            }
        }
        put(tagged_, place(tagged_, wider, branch), std::move(values)...);
        mask = wider;
    }

    // Takes a branch, which must be present, and its bit in the mask away. The allocation becomes smaller when a
    // smaller one will do and can be had; otherwise it stays.
    void erase(mask_type& mask, unsigned branch) noexcept {
        const auto narrower = static_cast<mask_type>(mask & ~bit(branch));
        const auto left = static_cast<unsigned>(std::popcount(narrower));
        const unsigned slot = place(tagged_, mask, branch);
        // Destroyed last: a destructor may come back to the owner.
        const auto gone = take(slot, std::index_sequence_for<Columns...>{});
        if (left == 0) {
            clear_block();
        } else if (const std::uintptr_t smaller = try_make_smaller(class_for(left)); smaller != 0) {
            reshape(smaller, mask, narrower);
        } else if (!is_full_width(tagged_)) {
            for (unsigned next = slot; next < left; ++next) {
                move_slot(tagged_, next + 1, tagged_, next);
            }
            put(tagged_, left, Columns{}...);
        }
        mask = narrower;
    }

    // Takes all branches and their bits away.
    void clear(mask_type& mask) noexcept {
        clear_block();
        mask = 0;
    }

private:
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
        std::size_t at = 0;
        for (std::size_t i = 0; i < I; ++i) {
            at += sizes[i] * capacity;
            at = (at + alignments[i + 1] - 1) / alignments[i + 1] * alignments[i + 1];
        }
        return at;
    }

    static constexpr std::size_t units(std::size_t capacity) noexcept {
        return offset<sizeof...(Columns)>(capacity) / sizeof(unit);
    }

    static unsigned class_of(std::uintptr_t tagged) noexcept { return static_cast<unsigned>(tagged & tag_bits); }
    unsigned size_class() const noexcept { return class_of(tagged_); }

    static unsigned capacity_of(std::uintptr_t tagged) noexcept {
        return tagged == 0 ? 0 : Boundaries::capacities[class_of(tagged)];
    }

    static bool is_full_width(std::uintptr_t tagged) noexcept {
        return tagged != 0 && class_of(tagged) == classes - 1;
    }

    static unit* block(std::uintptr_t tagged) noexcept {
        return reinterpret_cast<unit*>(tagged & ~tag_bits);
    }

    static unsigned place(std::uintptr_t tagged, mask_type mask, unsigned branch) noexcept {
        // As if all were present where each has a place of its own; a jump would be hard to foresee.
        const unsigned full_width = class_of(tagged) == classes - 1 ? 1U : 0U;
        return rank(static_cast<mask_type>(mask | (0U - full_width)), branch);
    }

    template <std::size_t I>
    static column_type<I>* column(std::uintptr_t tagged) noexcept {
        auto* const start = reinterpret_cast<std::byte*>(tagged & ~tag_bits);
        if constexpr (I == 0) {
            return std::launder(reinterpret_cast<column_type<0>*>(start));
        } else {
            return std::launder(
                reinterpret_cast<column_type<I>*>(start + offset<I>(Boundaries::capacities[class_of(tagged)])));
        }
    }

    // Calls f(pointer to the column)... for all columns.
    template <class F>
    static void columns(std::uintptr_t tagged, F&& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (f(column<I>(tagged)), ...);
        }(std::index_sequence_for<Columns...>{});
    }

    template <class F>
    static void each(std::uintptr_t tagged, mask_type mask, F&& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            unsigned next = 0;
            for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
                const auto branch = static_cast<unsigned>(std::countr_zero(rest));
                const unsigned slot = is_full_width(tagged) ? branch : next++;
                f(branch, column<I>(tagged)[slot]...);
            }
        }(std::index_sequence_for<Columns...>{});
    }

    static void put(std::uintptr_t tagged, unsigned slot, Columns... values) noexcept {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((column<I>(tagged)[slot] = std::move(values)), ...);
        }(std::index_sequence_for<Columns...>{});
    }

    static void move_slot(std::uintptr_t from, unsigned from_slot, std::uintptr_t to, unsigned to_slot) noexcept {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((column<I>(to)[to_slot] = std::move(column<I>(from)[from_slot])), ...);
        }(std::index_sequence_for<Columns...>{});
    }

    // The values of a slot, which is value-initialised again.
    template <std::size_t... I>
    std::tuple<Columns...> take(unsigned slot, std::index_sequence<I...>) noexcept {
        std::tuple<Columns...> values{std::move(column<I>(tagged_)[slot])...};
        ((column<I>(tagged_)[slot] = column_type<I>{}), ...);
        return values;
    }

    // A new block, all slots value-initialised.
    std::uintptr_t make(unsigned size_class) {
        const unsigned room = Boundaries::capacities[size_class];
        unit* const fresh = traits::allocate(allocator_, units(room));
        const std::uintptr_t tagged = reinterpret_cast<std::uintptr_t>(fresh) | size_class;
        columns(tagged, [room](auto* values) { std::uninitialized_value_construct_n(values, room); });
        return tagged;
    }

    // 0 when the allocation is as small as can be, or no smaller one can be had.
    std::uintptr_t try_make_smaller(unsigned wanted) noexcept {
        if (wanted >= size_class()) {
            return 0;
        }
        try {
            return make(wanted);
        } catch (...) {
            return 0;
        }
    }

    // Moves the branches that are in both masks to a new block, which replaces the old one.
    void reshape(std::uintptr_t fresh, mask_type before, mask_type after) noexcept {
        for (unsigned rest = before & after; rest != 0; rest &= rest - 1) {
            const auto branch = static_cast<unsigned>(std::countr_zero(rest));
            move_slot(tagged_, place(tagged_, before, branch), fresh, place(fresh, after, branch));
        }
        clear_block();
        tagged_ = fresh;
    }

    // Into an array that is empty. A copy that throws leaves a whole block behind, which the destructor takes.
    void copy_from(const basic_sparse_array& other) {
        if (other.tagged_ == 0) {
            return;
        }
        tagged_ = make(other.size_class());
        try {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (std::copy_n(column<I>(other.tagged_), capacity(), column<I>(tagged_)), ...);
            }(std::index_sequence_for<Columns...>{});
        } catch (...) {
            clear_block();
            throw;
        }
    }

    void clear_block() noexcept {
        if (const std::uintptr_t old = std::exchange(tagged_, 0); old != 0) {
            const unsigned room = capacity_of(old);
            columns(old, [room](auto* values) { std::destroy_n(values, room); });
            traits::deallocate(allocator_, block(old), units(room));
        }
    }

    [[no_unique_address]] unit_allocator allocator_{};
    std::uintptr_t tagged_ = 0;
};

// With memory from operator new.
template <class Boundaries, class... Columns>
using sparse_array = basic_sparse_array<Boundaries, std::allocator<std::byte>, Columns...>;

}  // namespace deadweight

#endif
