// The programs: one tree, in which only these choices differ.

#pragma once

#include <cstddef>
#include <memory>

#include <deadweight/slab_allocator.hpp>
#include <deadweight/sparse_array.hpp>

#include "children.hpp"
#include "counted_children.hpp"
#include "pointers.hpp"
#include "pool_allocators.hpp"

namespace shamap {

// What programs have in common if they do not say otherwise.
struct Common {
    // In which an inner node says which children it has.
    using MaskField = Mask;

    // Whether the node store keeps every node in serialised form, too.
    static constexpr bool caches_serialised = false;
    static constexpr bool is_joined = false;
};

// Inner nodes with room for one of the boundaries, in an array apart.
template <class PointersOf, class AllocatorOfInner, class BoundariesOrVoid,
          class AllocatorOfArrays = AllocatorOfInner, ColumnOrder order = ColumnOrder::pointers_first>
struct Variant : Common {
    using Pointers = PointersOf;
    using InnerAllocator = AllocatorOfInner;

    template <class Pointer>
    using Children = SparseChildren<Pointer, BoundariesOrVoid, AllocatorOfArrays, order>;
};

// A node has 16 slots.
template <class PointersOf, class AllocatorOfInner>
struct Variant<PointersOf, AllocatorOfInner, void> : Common {
    using Pointers = PointersOf;
    using InnerAllocator = AllocatorOfInner;

    template <class Pointer>
    using Children = DenseChildren<Pointer>;
};

// A node says in a field of its own how much room there is, and keeps its mask in a standard bit set.
template <class BoundariesOf, template <class> class Arrays>
struct Counted : Common {
    using Pointers = SharedPointers;
    using InnerAllocator = std::allocator<std::byte>;
    using MaskField = BitsetMask;

    template <class Pointer>
    using Children = CountedChildren<Pointer, BoundariesOf, Arrays>;
};

// Inner nodes are blocks of as much room as their children need, the node's own fields before them.
template <class AllocatorOfInner, class BoundariesOfAll>
struct Joined : Common {
    using Pointers = TaggedPointers;
    using InnerAllocator = AllocatorOfInner;
    using Boundaries = BoundariesOfAll;

    static constexpr bool is_joined = true;
};

using Heap = std::allocator<std::byte>;
// A tree of these programs belongs to one thread, and so do the pools.
using Pools = deadweight::slab_allocator<std::byte, deadweight::null_mutex>;

using Dense = Variant<SharedPointers, Heap, void>;

struct Before : Dense {
    static constexpr bool caches_serialised = true;
};

using Four = deadweight::boundaries<2, 4, 6, 16>;

// The steps from the first sketch of a sparse node to the one that is a single tagged pointer.
using TwoArraysNode = Counted<Four, TwoArrays>;
using OneArrayNode = Counted<Four, OneArray>;
struct BitsetNode : Variant<SharedPointers, Heap, Four> {
    using MaskField = BitsetMask;
};

using Sparse6 = Variant<SharedPointers, Heap, deadweight::boundaries<6, 16>>;
using Sparse28 = Variant<SharedPointers, Heap, deadweight::boundaries<2, 8, 16>>;
using Sparse246 = Variant<SharedPointers, Heap, Four>;
// A node that loses a child keeps its room until one more has gone.
using ShrinksLate = Variant<SharedPointers, Heap, deadweight::shrinks_late<Four>>;
using Pooled = Variant<SharedPointers, Pools, Four>;
// Arrays as a server of the ledger has them: hashes first, from pools of their own; nodes come from the heap.
using HashesFirst = Variant<SharedPointers, Heap, Four, Pools, ColumnOrder::hashes_first>;
// The same as `Pooled`, from pools that many threads can use, ours and those that others made.
using ThreadCaches = deadweight::slab_allocator<std::byte, deadweight::thread_caches>;
using CachedPooled = Variant<SharedPointers, ThreadCaches, Four>;
using StandardPooled = Variant<SharedPointers, StandardPools, Four>;
#ifdef SHAMAP_BOOST
using BoostResource = Variant<SharedPointers, BoostResources, Four>;
using BoostPooled = Variant<SharedPointers, BoostPools<std::byte>, Four>;
#endif
using Intrusive = Variant<IntrusivePointers, Heap, Four>;
using JoinedNodes = Joined<Heap, Four>;
using After = Joined<Pools, Four>;

}  // namespace shamap
