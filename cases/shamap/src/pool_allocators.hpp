// Pools that others made, as allocators without a state, to hold `slab_allocator` against.

#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <new>
#include <utility>

#ifdef SHAMAP_BOOST
#include <boost/container/pmr/synchronized_pool_resource.hpp>
#include <boost/pool/singleton_pool.hpp>
#endif

namespace shamap {

// From one resource that all of the process shares. It is never destroyed: blocks may come back very late.
template <class T, class Resource>
class ResourceAllocator {
public:
    using value_type = T;

    template <class U>
    struct rebind {
        using other = ResourceAllocator<U, Resource>;
    };

    ResourceAllocator() noexcept = default;
    template <class U>
    ResourceAllocator(const ResourceAllocator<U, Resource>&) noexcept {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(resource().allocate(count * sizeof(T), alignof(T)));
    }
    void deallocate(T* at, std::size_t count) noexcept { resource().deallocate(at, count * sizeof(T), alignof(T)); }

    template <class U>
    bool operator==(const ResourceAllocator<U, Resource>&) const noexcept {
        return true;
    }

private:
    static Resource& resource() {
        static Resource& shared = *new Resource;
        return shared;
    }
};

using StandardPools = ResourceAllocator<std::byte, std::pmr::synchronized_pool_resource>;

#ifdef SHAMAP_BOOST
using BoostResources = ResourceAllocator<std::byte, boost::container::pmr::synchronized_pool_resource>;

// boost::singleton_pool, which has one pool for each size that is known when it is compiled: here for each multiple of
// 24 bytes, as nodes and arrays are.
template <class T>
class BoostPools {
public:
    using value_type = T;

    template <class U>
    struct rebind {
        using other = BoostPools<U>;
    };

    BoostPools() noexcept = default;
    template <class U>
    BoostPools(const BoostPools<U>&) noexcept {}

    T* allocate(std::size_t count) {
        void* const block = pool(count).take();
        if (block == nullptr) {
            throw std::bad_alloc();
        }
        return static_cast<T*>(block);
    }

    void deallocate(T* at, std::size_t count) noexcept { pool(count).give(at); }

    template <class U>
    bool operator==(const BoostPools<U>&) const noexcept {
        return true;
    }

private:
    static constexpr std::size_t step = 24;
    static constexpr std::size_t largest = 768;

    struct Tag {};
    struct Pool {
        void* (*take)();
        void (*give)(void*);
    };

    template <std::size_t Bytes>
    static constexpr Pool make_pool() {
        constexpr unsigned blocks = 512 * 1024 / Bytes;
        using Singleton = boost::singleton_pool<Tag, Bytes, boost::default_user_allocator_new_delete, std::mutex,
                                                blocks, blocks>;
        return {[] { return Singleton::malloc(); }, [](void* at) { Singleton::free(at); }};
    }

    static const Pool& pool(std::size_t count) {
        static constexpr auto pools = []<std::size_t... I>(std::index_sequence<I...>) {
            return std::array{make_pool<(I + 1) * step>()...};
        }(std::make_index_sequence<largest / step>{});
        return pools.at((count * sizeof(T) - 1) / step);
    }
};
#endif

}  // namespace shamap
