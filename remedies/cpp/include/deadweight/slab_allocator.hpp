// Pools for many small blocks of few sizes: no header and no rounding for each block.

#ifndef DEADWEIGHT_SLAB_ALLOCATOR_HPP
#define DEADWEIGHT_SLAB_ALLOCATOR_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define DEADWEIGHT_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DEADWEIGHT_POISONS 1
#endif
#endif
#ifdef DEADWEIGHT_POISONS
#include <sanitizer/asan_interface.h>
#endif

namespace deadweight {

// For pools that one thread alone uses.
struct null_mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};

// For pools that many threads use: each thread keeps some free blocks for itself, and takes the lock of the pool that all
// share only to fetch or to give back many at once.
struct thread_caches {};

namespace detail {

struct free_block {
    free_block* next;
};

inline void poison([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef DEADWEIGHT_POISONS
    ASAN_POISON_MEMORY_REGION(at, bytes);
#endif
}

inline void unpoison([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef DEADWEIGHT_POISONS
    ASAN_UNPOISON_MEMORY_REGION(at, bytes);
#endif
}

// Free blocks of one size, one pointing to the next.
class block_list {
public:
    bool is_empty() const noexcept { return first_ == nullptr; }
    std::size_t size() const noexcept { return size_; }

    void push(void* block, std::size_t bytes) noexcept {
        first_ = ::new (block) free_block{first_};
        ++size_;
        poison(block, bytes);
    }

    // There must be one.
    void* pop(std::size_t bytes) noexcept {
        free_block* const block = first_;
        unpoison(block, bytes);
        first_ = block->next;
        --size_;
        return block;
    }

private:
    free_block* first_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace detail

// Blocks of one size, cut from slabs of 32 KiB. A slab whose blocks are all free goes back to the system, but for one.
template <class Mutex = std::mutex>
class slab_pool {
public:
    // Aligned to it, so that a block's address tells its slab. A little less is asked for, so that slabs with an
    // allocator's header of 16 bytes stand side by side. glibc maps aligned blocks of 64 KiB and more one by one, and
    // twice as large.
    static constexpr std::size_t slab_alignment = 32 * 1024;
    static constexpr std::size_t slab_bytes = slab_alignment - 16;

    // Blocks are as aligned as their size is, up to 64 bytes. The size is a multiple of 8 and at most 1,024.
    explicit slab_pool(std::size_t block_bytes) noexcept
        : block_bytes_(block_bytes), blocks_(static_cast<std::uint32_t>((slab_bytes - first) / block_bytes)) {}

    slab_pool(const slab_pool&) = delete;
    slab_pool& operator=(const slab_pool&) = delete;

    // All blocks must have been given back.
    ~slab_pool() {
        while (slab* const it = open_) {
            close(it);
            destroy(it);
        }
    }

    // Throws std::bad_alloc when the system has no memory for a slab.
    [[nodiscard]] void* allocate() {
        const std::lock_guard lock(mutex_);
        return take();
    }

    // A block of this pool.
    void deallocate(void* block) noexcept {
        const std::lock_guard lock(mutex_);
        give(block);
    }

    // Adds `count` blocks to a list, or fewer if there is no memory for more. Throws std::bad_alloc when there is none at
    // all.
    void allocate(detail::block_list& list, std::size_t count) {
        const std::lock_guard lock(mutex_);
        list.push(take(), block_bytes_);
        try {
            while (--count > 0) {
                list.push(take(), block_bytes_);
            }
        } catch (const std::bad_alloc&) {
        }
    }

    // Takes `count` blocks of this pool, which must be there, from a list.
    void deallocate(detail::block_list& list, std::size_t count) noexcept {
        const std::lock_guard lock(mutex_);
        for (; count > 0; --count) {
            give(list.pop(block_bytes_));
        }
    }

    std::size_t block_bytes() const noexcept { return block_bytes_; }

    // What is taken from the system.
    std::size_t reserved_bytes() const noexcept {
        const std::lock_guard lock(mutex_);
        return slabs_ * slab_bytes;
    }

private:
    using free_block = detail::free_block;

    struct slab {
        slab* next = nullptr;  // in the list of slabs with free blocks
        slab* previous = nullptr;
        free_block* free = nullptr;
        std::uint32_t used = 0;
        std::uint32_t cut = 0;  // blocks from here on were never used
    };

    static constexpr std::size_t first = 64;
    static_assert(sizeof(slab) <= first);

    slab* create() {
        // Unlike aligned_alloc, this takes sizes that are no multiple of the alignment.
        void* memory = nullptr;
        if (::posix_memalign(&memory, slab_alignment, slab_bytes) != 0) {
            throw std::bad_alloc();
        }
        detail::poison(static_cast<std::byte*>(memory) + first, slab_bytes - first);
        ++slabs_;
        return ::new (memory) slab;
    }

    void destroy(slab* it) noexcept {
        detail::unpoison(reinterpret_cast<std::byte*>(it) + first, slab_bytes - first);
        --slabs_;
        std::free(it);
    }

    void open(slab* it) noexcept {
        it->previous = nullptr;
        it->next = open_;
        if (open_ != nullptr) {
            open_->previous = it;
        }
        open_ = it;
    }

    void close(slab* it) noexcept {
        (it->previous == nullptr ? open_ : it->previous->next) = it->next;
        if (it->next != nullptr) {
            it->next->previous = it->previous;
        }
        it->next = it->previous = nullptr;
    }

    void* take() {
        slab* it = open_;
        if (it == nullptr) {
            it = create();
            open(it);
        }
        void* block = it->free;
        if (block != nullptr) {
            detail::unpoison(block, block_bytes_);
            it->free = static_cast<free_block*>(block)->next;
        } else {
            block = reinterpret_cast<std::byte*>(it) + first + it->cut++ * block_bytes_;
            detail::unpoison(block, block_bytes_);
        }
        if (++it->used == blocks_) {
            close(it);
        }
        return block;
    }

    void give(void* block) noexcept {
        auto* const it =
            reinterpret_cast<slab*>(reinterpret_cast<std::uintptr_t>(block) & ~(slab_alignment - 1));
        it->free = ::new (block) free_block{it->free};
        detail::poison(block, block_bytes_);
        if (it->used-- == blocks_) {
            open(it);
        }
        if (it->used == 0 && (it->next != nullptr || it->previous != nullptr)) {
            close(it);
            destroy(it);
        }
    }

    std::size_t block_bytes_;
    std::uint32_t blocks_;
    slab* open_ = nullptr;
    std::size_t slabs_ = 0;
    [[no_unique_address]] mutable Mutex mutex_;
};

namespace detail {

inline constexpr std::size_t largest_block = 1024;

// One pool for each multiple of 8 bytes. Never destroyed, as blocks of static objects may come back very late.
template <class Mutex>
auto& slab_pools() {
    static auto& pools = *[]<std::size_t... I>(std::index_sequence<I...>) {
        return new std::array<slab_pool<Mutex>, sizeof...(I)>{slab_pool<Mutex>((I + 1) * 8)...};
    }(std::make_index_sequence<largest_block / 8>{});
    return pools;
}

// A thread's own free blocks, of every size. They go back when the thread ends.
class thread_cache {
public:
    static void* allocate(std::size_t index) {
        auto& pool = slab_pools<std::mutex>()[index];
        thread_cache* const cache = own();
        if (cache == nullptr) {
            return pool.allocate();
        }
        block_list& list = cache->lists_[index];
        if (list.is_empty()) {
            pool.allocate(list, batch(pool.block_bytes()));
        }
        return list.pop(pool.block_bytes());
    }

    static void deallocate(std::size_t index, void* block) noexcept {
        auto& pool = slab_pools<std::mutex>()[index];
        thread_cache* const cache = own();
        if (cache == nullptr) {
            pool.deallocate(block);
            return;
        }
        block_list& list = cache->lists_[index];
        list.push(block, pool.block_bytes());
        const std::size_t many = batch(pool.block_bytes());
        if (list.size() > 2 * many) {
            pool.deallocate(list, many);
        }
    }

private:
    thread_cache() noexcept = default;
    ~thread_cache() {
        is_gone_ = true;
        for (std::size_t index = 0; index < lists_.size(); ++index) {
            slab_pools<std::mutex>()[index].deallocate(lists_[index], lists_[index].size());
        }
    }

    // None when it has gone: what a thread destroys later is the pools' own matter.
    static thread_cache* own() noexcept {
        if (is_gone_) {
            return nullptr;
        }
        thread_local thread_cache cache;
        return &cache;
    }

    // Up to 4 KiB at once.
    static std::size_t batch(std::size_t block_bytes) noexcept { return 4096 / block_bytes; }

    // Is read after the cache has gone, so it has no destructor.
    static inline thread_local bool is_gone_ = false;

    std::array<block_list, largest_block / 8> lists_;
};

}  // namespace detail

// A standard allocator without a state: blocks of up to 1,024 bytes come from pools that all of the process shares,
// larger ones from operator new. With null_mutex all of it belongs to one thread; with thread_caches the pools are those
// of std::mutex, and threads keep some of their free blocks.
template <class T, class Mutex = std::mutex>
class slab_allocator {
public:
    using value_type = T;

    template <class U>
    struct rebind {
        using other = slab_allocator<U, Mutex>;
    };

    slab_allocator() noexcept = default;

    template <class U>
    slab_allocator(const slab_allocator<U, Mutex>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        const std::size_t bytes = count * sizeof(T);
        if (is_pooled(bytes)) {
            if constexpr (caches) {
                return static_cast<T*>(detail::thread_cache::allocate(index(bytes)));
            } else {
                return static_cast<T*>(detail::slab_pools<Mutex>()[index(bytes)].allocate());
            }
        }
        return static_cast<T*>(::operator new(bytes, std::align_val_t{alignof(T)}));
    }

    void deallocate(T* at, std::size_t count) noexcept {
        const std::size_t bytes = count * sizeof(T);
        if (is_pooled(bytes)) {
            if constexpr (caches) {
                detail::thread_cache::deallocate(index(bytes), at);
            } else {
                detail::slab_pools<Mutex>()[index(bytes)].deallocate(at);
            }
        } else {
            ::operator delete(at, std::align_val_t{alignof(T)});
        }
    }

    template <class U>
    bool operator==(const slab_allocator<U, Mutex>&) const noexcept {
        return true;
    }

private:
    static constexpr bool is_pooled(std::size_t bytes) noexcept {
        return bytes != 0 && bytes <= detail::largest_block && alignof(T) <= 64;
    }

    static constexpr std::size_t index(std::size_t bytes) noexcept { return (bytes - 1) / 8; }

    static constexpr bool caches = std::is_same_v<Mutex, thread_caches>;
};

}  // namespace deadweight

#undef DEADWEIGHT_POISONS

#endif
