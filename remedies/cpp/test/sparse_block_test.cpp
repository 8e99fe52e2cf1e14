#include <deadweight/slab_allocator.hpp>
#include <deadweight/sparse_block.hpp>

#include <array>
#include <bit>
#include <map>
#include <memory>
#include <stdexcept>

#include "check.hpp"
#include "failing_allocator.hpp"

using namespace deadweight;

namespace {

using hash = std::array<std::uint8_t, 32>;

hash hash_of(unsigned value) { return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8U)}; }

// A node that is the head of its own block.
template <class Boundaries, class Allocator>
struct node {
    using block = sparse_block<Boundaries, Allocator, node, std::shared_ptr<unsigned>, hash>;

    static inline int alive = 0;

    std::uint16_t mask = 0;
    unsigned id;

    explicit node(unsigned i) : id(i) {
        if (i == 0) {
            throw std::invalid_argument("no node");
        }
        ++alive;
    }
    node(const node&) = delete;
    node(node&& other) noexcept : mask(other.mask), id(std::exchange(other.id, 0)) { ++alive; }
    ~node() { --alive; }
};

using model = std::map<unsigned, unsigned>;

template <class Block>
void check_equal(Block block, unsigned id, const model& expected) {
    const auto& head = block.head();
    CHECK(head.id == id && static_cast<std::size_t>(std::popcount(head.mask)) == expected.size());
    CHECK(Block::from_word(block.word()) == block && Block::of(head, block.capacity()) == block);
    CHECK((block.word() & 4U) == 0 && (block.word() & 3U) < 4);
    auto next = expected.begin();
    block.for_each(head.mask, [&](unsigned branch, const std::shared_ptr<unsigned>& value, const hash& h) {
        CHECK(next != expected.end() && branch == next->first);
        CHECK(*value == next->second && h == hash_of(next->second));
        CHECK(&block.template get<0>(head.mask, branch) == &value);
        CHECK(&block.template get<1>(head.mask, branch) == &h);
        ++next;
    });
    CHECK(next == expected.end());
    if (block.is_full_width()) {
        CHECK(block.capacity() == Block::branches);
        for (unsigned branch = 0; branch < Block::branches; ++branch) {
            const auto& value = block.template get_full_width<0>(branch);
            const auto& h = block.template get_full_width<1>(branch);
            const auto found = expected.find(branch);
            CHECK((value != nullptr) == (found != expected.end()));
            CHECK(found == expected.end() ? h == hash{} : *value == found->second && h == hash_of(found->second));
        }
    }
}

// Random inserts and erasures against a std::map, with copies and failing allocations in between.
template <class Boundaries, class Allocator>
void behaves_as_a_map_with_a_head(std::uint64_t seed) {
    using head = node<Boundaries, Allocator>;
    using block = typename head::block;
    constexpr bool can_fail = std::is_same_v<Allocator, failing_allocator<std::byte>>;
    typename block::allocator_type allocator;
    random_numbers random(seed);
    block one = block::create(allocator, 0, 7U);
    CHECK(one.capacity() == Boundaries::capacities.front());
    model expected;
    for (unsigned step = 1; step <= 10'000; ++step) {
        const unsigned branch = random.below(Boundaries::branches);
        const bool filling = step / 64 % 2 == 0;
        const bool present = expected.contains(branch);
        const bool fails = can_fail && random.below(8) == 0;
        const std::uint16_t mask = one.head().mask;
        failing_allocator<std::byte>::fails = fails;
        if (!present && (filling || random.below(4) == 0)) {
            const bool must_grow = expected.size() == one.capacity();
            auto value = std::make_shared<unsigned>(step);
            bool threw = false;
            try {
                one.insert(allocator, mask, branch, value, hash_of(step));
            } catch (const std::bad_alloc&) {
                threw = true;
            }
            CHECK(threw == (fails && must_grow));
            CHECK(value.use_count() == (threw ? 1 : 2));
            if (!threw) {
                one.head().mask = static_cast<std::uint16_t>(mask | 1U << branch);
                expected[branch] = step;
            }
        } else if (present && (!filling || random.below(4) == 0)) {
            const auto [value, h] = one.erase(allocator, mask, branch);
            CHECK(*value == expected[branch] && h == hash_of(expected[branch]) && value.use_count() == 1);
            one.head().mask = static_cast<std::uint16_t>(mask & ~(1U << branch));
            expected.erase(branch);
            CHECK(fails || one.capacity() == *std::ranges::lower_bound(Boundaries::capacities,
                                                                       static_cast<unsigned>(expected.size())));
        }
        failing_allocator<std::byte>::fails = false;
        check_equal(one, 7, expected);
        CHECK(head::alive == 1);
        if (step % 97 == 0) {
            block copy = one.copy(allocator, 8U);
            copy.head().mask = one.head().mask;
            check_equal(copy, 8, expected);
            CHECK(copy != one && copy.capacity() == one.capacity() && head::alive == 2);
            block moved = copy.move_to(allocator);
            copy.destroy(allocator);
            CHECK(!copy && copy.capacity() == 0 && copy.allocated_bytes() == 0);
            check_equal(moved, 8, expected);
            moved.destroy(allocator);
            check_equal(one, 7, expected);
        }
    }
    one.destroy(allocator);
    one.destroy(allocator);
    CHECK(head::alive == 0 && failing_allocator<std::byte>::blocks == 0);
}

template <class Allocator>
void behaves_as_a_map_with_all_boundaries() {
    behaves_as_a_map_with_a_head<boundaries<16>, Allocator>(1);
    behaves_as_a_map_with_a_head<boundaries<6, 16>, Allocator>(2);
    behaves_as_a_map_with_a_head<boundaries<2, 8, 16>, Allocator>(3);
    behaves_as_a_map_with_a_head<boundaries<2, 4, 6, 16>, Allocator>(4);
    behaves_as_a_map_with_a_head<boundaries<1, 2, 3, 4>, Allocator>(5);
}

void a_head_that_throws_leaks_nothing() {
    using head = node<boundaries<2, 16>, failing_allocator<std::byte>>;
    typename head::block::allocator_type allocator;
    bool threw = false;
    try {
        head::block::create(allocator, 3, 0U);
    } catch (const std::invalid_argument&) {
        threw = true;
    }
    CHECK(threw && failing_allocator<std::byte>::blocks == 0 && head::alive == 0);
}

// The head, and 48 bytes for each slot.
void a_block_has_no_more_than_its_head_and_slots() {
    using head = node<boundaries<2, 4, 6, 16>, std::allocator<std::byte>>;
    static_assert(sizeof(head) == 8);
    typename head::block::allocator_type allocator;
    for (const auto& [count, room] : model{{0, 2}, {2, 2}, {3, 4}, {6, 6}, {7, 16}, {16, 16}}) {
        head::block block = head::block::create(allocator, count, 1U);
        CHECK(block.capacity() == room && block.allocated_bytes() == 8 + room * std::size_t{48});
        block.destroy(allocator);
    }
}

}  // namespace

int main() {
    behaves_as_a_map_with_all_boundaries<std::allocator<std::byte>>();
    behaves_as_a_map_with_all_boundaries<slab_allocator<std::byte, null_mutex>>();
    behaves_as_a_map_with_all_boundaries<failing_allocator<std::byte>>();
    a_head_that_throws_leaks_nothing();
    a_block_has_no_more_than_its_head_and_slots();
}
