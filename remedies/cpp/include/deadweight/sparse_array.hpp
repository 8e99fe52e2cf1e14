// A sparse array in one tagged pointer: up to 16 branches, of which mostly few are present.
//
// The values of the branches that are present stand in one allocation of their own, a `sparse_block` without a head.
// Which branches are present stands in a 16-bit mask that the owner holds (it often has two bytes of padding to spare).

#ifndef DEADWEIGHT_SPARSE_ARRAY_HPP
#define DEADWEIGHT_SPARSE_ARRAY_HPP

#include "sparse_block.hpp"

namespace deadweight {

// A regular type of the size of a pointer (and of the allocator, if that has a state). Two threads may read it, as
// with any container.
//
// Slots that are not used hold value-initialised columns, so that copying and destroying need no mask.
template <class Boundaries, class Allocator, class... Columns>
class basic_sparse_array {
    using block = sparse_block<Boundaries, Allocator, no_head, Columns...>;
    using block_allocator = typename block::allocator_type;
    using traits = std::allocator_traits<block_allocator>;

    template <std::size_t I>
    using column_type = std::tuple_element_t<I, std::tuple<Columns...>>;

public:
    using mask_type = typename block::mask_type;
    using allocator_type = Allocator;
    static constexpr unsigned branches = Boundaries::branches;

    // Allocates nothing.
    basic_sparse_array() noexcept(std::is_nothrow_default_constructible_v<block_allocator>) = default;

    explicit basic_sparse_array(const Allocator& allocator) noexcept : allocator_(allocator) {}

    // As large as the other, and with equal columns. Throws what the allocator and the columns' copies throw.
    basic_sparse_array(const basic_sparse_array& other)
        : allocator_(traits::select_on_container_copy_construction(other.allocator_)) {
        copy_from(other);
    }

    basic_sparse_array(basic_sparse_array&& other) noexcept
        : allocator_(std::move(other.allocator_)), block_(std::exchange(other.block_, {})) {}

    // Strong exception safety.
    basic_sparse_array& operator=(const basic_sparse_array& other) {
        if (this != &other) {
            constexpr bool propagates = traits::propagate_on_container_copy_assignment::value;
            basic_sparse_array copy{Allocator(propagates ? other.allocator_ : allocator_)};
            copy.copy_from(other);
            if constexpr (propagates) {
                block_.destroy(allocator_);
                allocator_ = other.allocator_;
            }
            std::swap(block_, copy.block_);
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
            block_.destroy(allocator_);
            allocator_ = std::move(other.allocator_);
            block_ = std::exchange(other.block_, {});
        } else if (allocator_ == other.allocator_) {
            block_.destroy(allocator_);
            block_ = std::exchange(other.block_, {});
        } else {
            const block fresh = other.block_ ? other.block_.move_to(allocator_) : block{};
            block_.destroy(allocator_);
            block_ = fresh;
            other.block_.destroy(other.allocator_);
        }
        return *this;
    }

    ~basic_sparse_array() { block_.destroy(allocator_); }

    // Of arrays whose allocators are equal or are swapped with them.
    friend void swap(basic_sparse_array& one, basic_sparse_array& other) noexcept {
        if constexpr (traits::propagate_on_container_swap::value) {
            std::swap(one.allocator_, other.allocator_);
        }
        std::swap(one.block_, other.block_);
    }

    // How many branches there is room for: one of the boundaries, or 0.
    unsigned capacity() const noexcept { return block_.capacity(); }

    // What the allocation takes, without what the allocator adds.
    std::size_t allocated_bytes() const noexcept { return block_.allocated_bytes(); }

    Allocator get_allocator() const noexcept { return Allocator(allocator_); }

    // A column's value for a branch, which must be present.
    template <std::size_t I>
    column_type<I>& get(mask_type mask, unsigned branch) noexcept {
        return block_.template get<I>(mask, branch);
    }

    template <std::size_t I>
    const column_type<I>& get(mask_type mask, unsigned branch) const noexcept {
        return block_.template get<I>(mask, branch);
    }

    // Calls f(branch, columns...) for each branch that is present, in ascending order.
    template <class F>
    void for_each(mask_type mask, F&& f) {
        block_.for_each(mask, f);
    }

    template <class F>
    void for_each(mask_type mask, F&& f) const {
        block_.for_each(mask, [&f](unsigned branch, const Columns&... values) { f(branch, values...); });
    }

    // Adds a branch, which must not be present, and its bit in the mask. Throws what the allocator throws; then nothing
    // has changed. References to other values become invalid.
    void insert(mask_type& mask, unsigned branch, Columns... values) {
        block_.insert(allocator_, mask, branch, std::move(values)...);
        mask = static_cast<mask_type>(mask | 1U << branch);
    }

    // Makes room for `count` branches, of 16 at most, if there is less; the next `erase` may give it back. Throws what the
    // allocator throws; then nothing has changed. References to values become invalid.
    void reserve(mask_type mask, unsigned count) { block_.reserve(allocator_, mask, count); }

    // Takes a branch, which must be present, and its bit in the mask away. The allocation becomes smaller when a
    // smaller one will do (with `shrinks_late`: with room to spare) and can be had; otherwise it stays. It goes with the last branch.
    void erase(mask_type& mask, unsigned branch) noexcept {
        const auto narrower = static_cast<mask_type>(mask & ~(1U << branch));
        if (narrower == 0) {
            clear(mask);
            return;
        }
        // Destroyed last: a destructor may come back to the owner.
        [[maybe_unused]] const auto gone = block_.erase(allocator_, mask, branch);
        mask = narrower;
    }

    // Takes all branches and their bits away.
    void clear(mask_type& mask) noexcept {
        block old = std::exchange(block_, {});
        mask = 0;
        // Destroyed last: a destructor may come back to the owner.
        old.destroy(allocator_);
    }

private:
    // Into an array that is empty.
    void copy_from(const basic_sparse_array& other) {
        if (other.block_) {
            block_ = other.block_.copy(allocator_);
        }
    }

    [[no_unique_address]] block_allocator allocator_{};
    block block_;
};

// With memory from operator new.
template <class Boundaries, class... Columns>
using sparse_array = basic_sparse_array<Boundaries, std::allocator<std::byte>, Columns...>;

}  // namespace deadweight

#endif
