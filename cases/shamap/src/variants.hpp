// The programs: one tree, in which only these choices differ.

#pragma once

#include <cstddef>
#include <memory>

#include <deadweight/slab_allocator.hpp>
#include <deadweight/sparse_array.hpp>

#include "children.hpp"
#include "pointers.hpp"

namespace shamap {

template <class PointersOf, class AllocatorOfInner, class BoundariesOrVoid>
struct Variant {
    using Pointers = PointersOf;
    // What inner nodes and their arrays come from.
    using InnerAllocator = AllocatorOfInner;

    template <class Pointer>
    using Children = SparseChildren<Pointer, BoundariesOrVoid, AllocatorOfInner>;

    // Whether the node store keeps every node in serialised form, too.
    static constexpr bool caches_serialised = false;
    static constexpr bool is_joined = false;
};

// A node has 16 slots.
template <class PointersOf, class AllocatorOfInner>
struct Variant<PointersOf, AllocatorOfInner, void> {
    using Pointers = PointersOf;
    using InnerAllocator = AllocatorOfInner;

    template <class Pointer>
    using Children = DenseChildren<Pointer>;

    static constexpr bool caches_serialised = false;
    static constexpr bool is_joined = false;
};

// Inner nodes are blocks of as much room as their children need, the node's own fields before them.
template <class AllocatorOfInner, class BoundariesOfAll>
struct Joined {
    using Pointers = TaggedPointers;
    using InnerAllocator = AllocatorOfInner;
    using Boundaries = BoundariesOfAll;

    static constexpr bool caches_serialised = false;
    static constexpr bool is_joined = true;
};

using Heap = std::allocator<std::byte>;
// A tree of these programs belongs to one thread, and so do the pools.
using Pools = deadweight::slab_allocator<std::byte, deadweight::null_mutex>;

using Dense = Variant<SharedPointers, Heap, void>;

struct Before : Dense {
    static constexpr bool caches_serialised = true;
};

using Sparse6 = Variant<SharedPointers, Heap, deadweight::boundaries<6, 16>>;
using Sparse28 = Variant<SharedPointers, Heap, deadweight::boundaries<2, 8, 16>>;
using Sparse246 = Variant<SharedPointers, Heap, deadweight::boundaries<2, 4, 6, 16>>;
using Pooled = Variant<SharedPointers, Pools, deadweight::boundaries<2, 4, 6, 16>>;
using Intrusive = Variant<IntrusivePointers, Heap, deadweight::boundaries<2, 4, 6, 16>>;
using JoinedNodes = Joined<Heap, deadweight::boundaries<2, 4, 6, 16>>;
using After = Joined<Pools, deadweight::boundaries<2, 4, 6, 16>>;

}  // namespace shamap
