#include <deadweight/slab_allocator.hpp>

#include <array>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace deadweight;

namespace {

// Blocks keep what is written into them while others come and go, and slabs go back.
void blocks_do_not_overlap(std::size_t block_bytes) {
    slab_pool<null_mutex> pool(block_bytes);
    random_numbers random(block_bytes);
    std::vector<std::pair<unsigned char*, unsigned char>> held;
    std::size_t most = 0;
    for (int step = 0; step < 60'000; ++step) {
        const bool filling = step / 8'000 % 2 == 0;
        if (held.empty() || random.below(10) < (filling ? 7U : 3U)) {
            auto* const block = static_cast<unsigned char*>(pool.allocate());
            const auto mark = static_cast<unsigned char>(random.next());
            std::memset(block, mark, block_bytes);
            held.emplace_back(block, mark);
        } else {
            const unsigned at = random.below(static_cast<unsigned>(held.size()));
            const auto [block, mark] = held[at];
            for (std::size_t i = 0; i < block_bytes; ++i) {
                CHECK(block[i] == mark);
            }
            pool.deallocate(block);
            held[at] = held.back();
            held.pop_back();
        }
        most = std::max(most, pool.reserved_bytes());
    }
    CHECK(block_bytes < 80 || most > 2 * slab_pool<null_mutex>::slab_bytes);
    for (const auto& [block, mark] : held) {
        pool.deallocate(block);
    }
    CHECK(pool.reserved_bytes() == slab_pool<null_mutex>::slab_bytes);
}

void full_slabs_waste_little(std::size_t block_bytes) {
    slab_pool<null_mutex> pool(block_bytes);
    std::vector<void*> held(100'000);
    for (void*& block : held) {
        block = pool.allocate();
    }
    // The last slab may be almost empty.
    const std::size_t full = pool.reserved_bytes() - slab_pool<null_mutex>::slab_bytes;
    CHECK(static_cast<double>(full) < 1.04 * static_cast<double>(held.size() * block_bytes));
    for (void* block : held) {
        pool.deallocate(block);
    }
}

template <std::size_t Alignment>
struct alignas(Alignment) aligned {
    unsigned char bytes[Alignment];
};

template <std::size_t Alignment>
void blocks_are_aligned() {
    slab_allocator<aligned<Alignment>> allocator;
    std::vector<aligned<Alignment>*> held;
    for (std::size_t count = 1; count <= 20; ++count) {
        auto* const block = allocator.allocate(count);
        CHECK(reinterpret_cast<std::uintptr_t>(block) % Alignment == 0);
        held.push_back(block);
    }
    for (std::size_t count = 1; count <= 20; ++count) {
        allocator.deallocate(held[count - 1], count);
    }
}

void containers_work_with_it() {
    std::map<int, std::string, std::less<>, slab_allocator<std::pair<const int, std::string>>> map;
    std::vector<int, slab_allocator<int>> grows_beyond_pools;
    for (int i = 0; i < 10'000; ++i) {
        map.emplace(i, std::to_string(i));
        grows_beyond_pools.push_back(i);
    }
    CHECK(map.at(9'999) == "9999" && grows_beyond_pools[9'999] == 9'999);
    bool threw = false;
    try {
        // More than there is, and a product that does not fit.
        (void)slab_allocator<long>{}.allocate(static_cast<std::size_t>(-1) / 4);
    } catch (const std::bad_alloc&) {
        threw = true;
    }
    CHECK(threw);
}

// Blocks that one thread takes and another gives back.
template <class Mutex>
void threads_share_pools() {
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < 4; ++thread) {
        threads.emplace_back([thread] {
            random_numbers random(thread);
            std::list<std::uint64_t, slab_allocator<std::uint64_t, Mutex>> list;
            for (int step = 0; step < 20'000; ++step) {
                if (list.size() < 1'000 || random.below(2) == 0) {
                    list.push_back(thread);
                } else {
                    CHECK(list.front() == thread);
                    list.pop_front();
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

// Threads that keep free blocks for themselves. Some give back what others took, so that a cache must hand blocks on; what
// threads kept goes back when they end.
void threads_keep_blocks() {
    struct alignas(8) block {
        std::uint64_t owner;
        unsigned char rest[240];
    };
    using allocator = slab_allocator<block, thread_caches>;
    auto& pool = detail::slab_pools<std::mutex>()[sizeof(block) / 8 - 1];
    const std::size_t before = pool.reserved_bytes();
    constexpr unsigned count = 4;
    constexpr unsigned rounds = 20;
    std::mutex mutex;
    std::vector<block*> handed_on;
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < count; ++thread) {
        threads.emplace_back([&, thread] {
            random_numbers random(thread);
            std::vector<block*> own;
            for (unsigned round = 0; round < rounds; ++round) {
                for (unsigned i = 0; i < 100 + random.below(100); ++i) {
                    auto* const it = allocator{}.allocate(1);
                    it->owner = thread * 1'000'000U + i;
                    std::memset(it->rest, static_cast<int>(thread), sizeof it->rest);
                    own.push_back(it);
                }
                for (const block* it : own) {
                    CHECK(it->rest[0] == it->rest[239] && it->owner / 1'000'000U == it->rest[0]);
                }
                const std::lock_guard lock(mutex);
                while (own.size() > 50) {
                    handed_on.push_back(own.back());
                    own.pop_back();
                }
                while (handed_on.size() > 100) {
                    allocator{}.deallocate(handed_on.back(), 1);
                    handed_on.pop_back();
                }
            }
            for (block* it : own) {
                allocator{}.deallocate(it, 1);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::thread([&] {
        for (block* it : handed_on) {
            allocator{}.deallocate(it, 1);
        }
    }).join();
    CHECK(pool.reserved_bytes() <= before + slab_pool<>::slab_bytes);
}

// A value that a thread destroys after its cache has gone.
void what_outlives_the_cache_goes_back() {
    using list = std::list<std::array<std::uint64_t, 60>, slab_allocator<std::array<std::uint64_t, 60>, thread_caches>>;
    struct late {
        list values;
    };
    for (int round = 0; round < 3; ++round) {
        std::thread([] {
            thread_local late value;
            for (int i = 0; i < 200; ++i) {
                value.values.push_back({});
            }
        }).join();
    }
    CHECK(detail::slab_pools<std::mutex>()[61].reserved_bytes() <= slab_pool<>::slab_bytes);
}

}  // namespace

int main() {
    for (const std::size_t bytes : {8U, 40U, 80U, 240U, 640U, 1024U}) {
        blocks_do_not_overlap(bytes);
        full_slabs_waste_little(bytes);
    }
    blocks_are_aligned<1>();
    blocks_are_aligned<4>();
    blocks_are_aligned<16>();
    blocks_are_aligned<64>();
    blocks_are_aligned<128>();
    containers_work_with_it();
    threads_share_pools<std::mutex>();
    threads_share_pools<thread_caches>();
    threads_keep_blocks();
    what_outlives_the_cache_goes_back();
}
