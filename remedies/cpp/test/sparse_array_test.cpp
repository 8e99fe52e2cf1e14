#include <deadweight/slab_allocator.hpp>
#include <deadweight/sparse_array.hpp>

#include <array>
#include <bit>
#include <map>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <tuple>

#include "check.hpp"
#include "failing_allocator.hpp"

using namespace deadweight;

namespace {

using hash = std::array<std::uint8_t, 32>;

hash hash_of(unsigned value) {
    hash result{};
    result[0] = static_cast<std::uint8_t>(value);
    result[31] = static_cast<std::uint8_t>(value >> 8U);
    return result;
}

static_assert(sizeof(sparse_array<boundaries<2, 4, 6, 16>, hash, void*>) == sizeof(void*));
static_assert(sizeof(basic_sparse_array<boundaries<16>, slab_allocator<int>, hash, void*>) == sizeof(void*));
static_assert(std::is_nothrow_move_assignable_v<sparse_array<boundaries<2, 16>, int>>);

// Counts what lives, and can be told to fail at a copy.
struct tracked {
    static inline int alive = 0;
    static inline int copies_left = -1;

    unsigned value = 0;

    tracked() noexcept { ++alive; }
    explicit tracked(unsigned v) noexcept : value(v) { ++alive; }
    tracked(const tracked& other) : value(other.value) {
        count_copy();
        ++alive;
    }
    tracked(tracked&& other) noexcept : value(std::exchange(other.value, 0)) { ++alive; }
    tracked& operator=(const tracked& other) {
        count_copy();
        value = other.value;
        return *this;
    }
    tracked& operator=(tracked&& other) noexcept {
        value = std::exchange(other.value, 0);
        return *this;
    }
    ~tracked() { --alive; }

    static void count_copy() {
        if (copies_left == 0) {
            throw std::runtime_error("no more copies");
        }
        copies_left -= copies_left > 0 ? 1 : 0;
    }
};

using model = std::map<unsigned, unsigned>;

template <class Array>
void check_equal(const Array& array, std::uint16_t mask, const model& expected) {
    CHECK(static_cast<std::size_t>(std::popcount(mask)) == expected.size());
    auto next = expected.begin();
    array.for_each(mask, [&](unsigned branch, const tracked& value, const hash& h) {
        CHECK(next != expected.end() && branch == next->first);
        CHECK(value.value == next->second && h == hash_of(next->second));
        CHECK(&array.template get<0>(mask, branch) == &value);
        CHECK(&array.template get<1>(mask, branch) == &h);
        ++next;
    });
    CHECK(next == expected.end());
}

template <class Boundaries>
unsigned smallest_for(std::size_t count) {
    if (count == 0) {
        return 0;
    }
    return *std::ranges::lower_bound(Boundaries::capacities, static_cast<unsigned>(count));
}

// Random inserts and erasures against a std::map, with copies, moves and failing allocations in between.
template <class Boundaries, class Allocator>
void behaves_as_a_map(std::uint64_t seed) {
    using array = basic_sparse_array<Boundaries, Allocator, tracked, hash>;
    constexpr bool can_fail = std::is_same_v<Allocator, failing_allocator<std::byte>>;
    random_numbers random(seed);
    {
        array one;
        std::uint16_t mask = 0;
        model expected;
        bool is_minimal = true;
        for (unsigned step = 1; step <= 20'000; ++step) {
            const unsigned branch = random.below(Boundaries::branches);
            // Waves, so that it is often almost empty and almost full.
            const bool filling = step / 64 % 2 == 0;
            const bool present = expected.contains(branch);
            const bool fails = can_fail && random.below(8) == 0;
            failing_allocator<std::byte>::fails = fails;
            if (!present && (filling || random.below(4) == 0)) {
                const bool must_grow = expected.size() == one.capacity();
                bool threw = false;
                try {
                    one.insert(mask, branch, tracked(step), hash_of(step));
                } catch (const std::bad_alloc&) {
                    threw = true;
                }
                CHECK(threw == (fails && must_grow));
                if (!threw) {
                    expected[branch] = step;
                    is_minimal = is_minimal || must_grow;
                }
            } else if (present && (!filling || random.below(4) == 0)) {
                one.erase(mask, branch);
                expected.erase(branch);
                const unsigned least = smallest_for<Boundaries>(expected.size());
                is_minimal = one.capacity() == least;
                // Where nothing smaller could be had, it stayed as it was.
                CHECK(is_minimal || fails);
            }
            failing_allocator<std::byte>::fails = false;
            if (is_minimal) {
                CHECK(one.capacity() == smallest_for<Boundaries>(expected.size()));
            }
            check_equal(one, mask, expected);
            if (step % 97 == 0) {
                array copy(one);
                check_equal(copy, mask, expected);
                array assigned;
                assigned = copy;
                check_equal(assigned, mask, expected);
                array moved(std::move(copy));
                check_equal(moved, mask, expected);
                CHECK(copy.capacity() == 0);
                swap(moved, assigned);
                one = std::move(assigned);
                check_equal(one, mask, expected);
            }
        }
        one.clear(mask);
        CHECK(mask == 0 && one.capacity() == 0 && tracked::alive == 0);
        one.insert(mask, 0, tracked(1), hash_of(1));
    }
    CHECK(tracked::alive == 0);
    CHECK(failing_allocator<std::byte>::blocks == 0);
}

template <class Allocator>
void behaves_as_a_map_with_all_boundaries() {
    behaves_as_a_map<boundaries<16>, Allocator>(1);
    behaves_as_a_map<boundaries<6, 16>, Allocator>(2);
    behaves_as_a_map<boundaries<2, 8, 16>, Allocator>(3);
    behaves_as_a_map<boundaries<2, 4, 6, 16>, Allocator>(4);
    behaves_as_a_map<boundaries<1, 2, 3, 4>, Allocator>(5);
    behaves_as_a_map<boundaries<1, 15, 16>, Allocator>(6);
}

void a_copy_that_throws_leaks_nothing() {
    using array = sparse_array<boundaries<2, 4, 6, 16>, tracked, hash>;
    for (const unsigned count : {1U, 2U, 5U, 16U}) {
        array one;
        std::uint16_t mask = 0;
        model expected;
        for (unsigned branch = 0; branch < count; ++branch) {
            one.insert(mask, branch, tracked(branch + 1), hash_of(branch + 1));
            expected[branch] = branch + 1;
        }
        const int before = tracked::alive;
        for (int copies = 0; copies < static_cast<int>(one.capacity()); ++copies) {
            for (const bool assigns : {false, true}) {
                array other;
                std::uint16_t other_mask = 0;
                other.insert(other_mask, 3, tracked(9), hash_of(9));
                bool threw = false;
                try {
                    tracked::copies_left = copies;
                    if (assigns) {
                        other = one;
                    } else {
                        array copy(one);
                    }
                } catch (const std::runtime_error&) {
                    threw = true;
                }
                tracked::copies_left = -1;
                CHECK(threw);
                check_equal(other, other_mask, {{3, 9}});
                check_equal(one, mask, expected);
            }
            CHECK(tracked::alive == before);
        }
    }
}

void columns_of_any_size_stand_aligned() {
    using array = sparse_array<boundaries<1, 3, 7, 16>, char, double, std::uint16_t, std::unique_ptr<int>>;
    array one;
    std::uint16_t mask = 0;
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned branch = i * 5 % 16;
        one.insert(mask, branch, static_cast<char>('a' + branch), branch * 0.5, static_cast<std::uint16_t>(branch),
                   std::make_unique<int>(static_cast<int>(branch)));
        one.for_each(mask, [](unsigned b, char c, double d, std::uint16_t s, const std::unique_ptr<int>& p) {
            CHECK(c == static_cast<char>('a' + b) && d == b * 0.5 && s == b && *p == static_cast<int>(b));
        });
        CHECK(reinterpret_cast<std::uintptr_t>(&one.get<1>(mask, branch)) % alignof(double) == 0);
        CHECK(reinterpret_cast<std::uintptr_t>(&one.get<3>(mask, branch)) % alignof(void*) == 0);
    }
    // 3 slots: 3 B, up to 8; 24 B; 6 B, up to 40; 24 B.
    for (unsigned i = 15; i >= 3; --i) {
        one.erase(mask, i * 5 % 16);
    }
    CHECK(one.capacity() == 3 && one.allocated_bytes() == 64);
    CHECK(*one.get<3>(mask, 10) == 10);
}

// With room for one more to spare, so that one branch that comes and goes moves nothing.
void late_shrinking_keeps_room_to_spare() {
    using sizes = boundaries<2, 4, 6, 16>;
    using array = basic_sparse_array<shrinks_late<sizes>, failing_allocator<std::byte>, tracked, hash>;
    const std::array<unsigned, 17> shrunk{0, 2, 4, 4, 6, 6, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16};
    array one;
    std::uint16_t mask = 0;
    model expected;
    for (unsigned branch = 0; branch < 16; ++branch) {
        one.insert(mask, branch, tracked(branch), hash_of(branch));
        expected[branch] = branch;
        CHECK(one.capacity() == smallest_for<sizes>(branch + 1));
    }
    for (unsigned left = 16; left-- > 0;) {
        one.erase(mask, left);
        expected.erase(left);
        CHECK(one.capacity() == shrunk[left]);
        check_equal(one, mask, expected);
    }
    for (const unsigned least : {2U, 4U, 6U}) {
        for (unsigned branch = 0; branch <= least; ++branch) {
            one.insert(mask, branch, tracked(branch), hash_of(branch));
        }
        const unsigned room = one.capacity();
        // Would throw, or end the program, if it allocated.
        failing_allocator<std::byte>::fails = true;
        for (int round = 0; round < 10; ++round) {
            one.erase(mask, least);
            CHECK(one.capacity() == room);
            one.insert(mask, least, tracked(least), hash_of(least));
        }
        failing_allocator<std::byte>::fails = false;
        one.clear(mask);
    }
    CHECK(tracked::alive == 0 && failing_allocator<std::byte>::blocks == 0);
}

void room_can_be_reserved() {
    using array = basic_sparse_array<boundaries<2, 4, 6, 16>, failing_allocator<std::byte>, tracked, hash>;
    array one;
    std::uint16_t mask = 0;
    model expected;
    one.reserve(mask, 0);
    CHECK(one.capacity() == 0);
    for (unsigned branch = 0; branch < 3; ++branch) {
        one.insert(mask, branch * 2, tracked(branch), hash_of(branch));
        expected[branch * 2] = branch;
    }
    failing_allocator<std::byte>::fails = true;
    bool threw = false;
    try {
        one.reserve(mask, 5);
    } catch (const std::bad_alloc&) {
        threw = true;
    }
    CHECK(threw && one.capacity() == 4);
    check_equal(one, mask, expected);
    failing_allocator<std::byte>::fails = false;
    one.reserve(mask, 4);
    CHECK(one.capacity() == 4);
    one.reserve(mask, 7);
    CHECK(one.capacity() == 16);
    check_equal(one, mask, expected);
    // From here on nothing is allocated.
    failing_allocator<std::byte>::fails = true;
    for (unsigned branch = 7; branch < 16; ++branch) {
        one.insert(mask, branch, tracked(branch), hash_of(branch));
        expected[branch] = branch;
    }
    failing_allocator<std::byte>::fails = false;
    check_equal(one, mask, expected);
    one.clear(mask);
    one.reserve(mask, 3);
    CHECK(one.capacity() == 4);
    check_equal(one, mask, {});
}

// The sizes that the prediction of savings is made with.
void an_allocation_has_no_more_than_its_slots() {
    using array = sparse_array<boundaries<2, 4, 6, 16>, std::shared_ptr<int>, hash>;
    array one;
    std::uint16_t mask = 0;
    const std::array<unsigned, 17> expected{0, 2, 2, 4, 4, 6, 6, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16};
    for (unsigned count = 0; count <= 16; ++count) {
        CHECK(one.allocated_bytes() == expected[count] * std::size_t{48});
        if (count < 16) {
            one.insert(mask, 15 - count, nullptr, hash{});
        }
    }
}

void allocators_with_a_state_stay_with_their_arrays() {
    using array =
        basic_sparse_array<boundaries<2, 4, 6, 16>, std::pmr::polymorphic_allocator<std::byte>, tracked, hash>;
    std::pmr::unsynchronized_pool_resource first;
    std::pmr::monotonic_buffer_resource second;
    {
        array one(&first);
        array two(&second);
        std::uint16_t mask = 0;
        model expected;
        for (unsigned branch = 0; branch < 5; ++branch) {
            one.insert(mask, branch * 3, tracked(branch), hash_of(branch));
            expected[branch * 3] = branch;
        }
        two = one;
        check_equal(two, mask, expected);
        CHECK(two.get_allocator().resource() == &second);
        array three(&second);
        three = std::move(one);
        check_equal(three, mask, expected);
        CHECK(one.capacity() == 0 && three.get_allocator().resource() == &second);
        swap(two, three);
        check_equal(two, mask, expected);
        check_equal(three, mask, expected);
    }
    CHECK(tracked::alive == 0);
}

// An owner that is reached again from the destructor of a value that is erased.
struct owner {
    struct link {
        owner* back = nullptr;
        link() noexcept = default;
        explicit link(owner* o) noexcept : back(o) {}
        link(link&& other) noexcept : back(std::exchange(other.back, nullptr)) {}
        link& operator=(link&& other) noexcept {
            std::swap(back, other.back);
            return *this;
        }
        ~link() {
            if (back != nullptr) {
                back->seen = std::popcount(back->mask);
            }
        }
    };
    sparse_array<boundaries<2, 4, 6, 16>, link> links;
    std::uint16_t mask = 0;
    int seen = -1;
};

void a_destructor_sees_its_value_erased() {
    owner one;
    for (unsigned branch = 0; branch < 7; ++branch) {
        one.links.insert(one.mask, branch, owner::link(&one));
    }
    for (int left = 6; left >= 0; --left) {
        one.links.erase(one.mask, static_cast<unsigned>(left));
        CHECK(one.seen == left || left == 0);
    }
}

}  // namespace

int main() {
    behaves_as_a_map_with_all_boundaries<std::allocator<std::byte>>();
    behaves_as_a_map_with_all_boundaries<slab_allocator<std::byte>>();
    behaves_as_a_map_with_all_boundaries<slab_allocator<std::byte, null_mutex>>();
    behaves_as_a_map_with_all_boundaries<failing_allocator<std::byte>>();
    a_copy_that_throws_leaks_nothing();
    columns_of_any_size_stand_aligned();
    late_shrinking_keeps_room_to_spare();
    room_can_be_reserved();
    an_allocation_has_no_more_than_its_slots();
    allocators_with_a_state_stay_with_their_arrays();
    a_destructor_sees_its_value_erased();
}
