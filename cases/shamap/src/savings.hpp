// What slots of a few sizes take of what dense slots take, and which sizes take least.

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "shape.hpp"

namespace shamap {

// The slots of all nodes, each with room for the next of the sizes, against 16 for each. The sizes ascend; 16 is there
// without being named.
inline double share_of_dense(const Histogram& histogram, const std::vector<unsigned>& sizes) {
    std::uint64_t sparse = 0;
    std::uint64_t dense = 0;
    auto size = sizes.begin();
    for (unsigned children = 0; children <= 16; ++children) {
        while (size != sizes.end() && *size < children) {
            ++size;
        }
        sparse += histogram[children] * (size == sizes.end() ? 16 : *size);
        dense += histogram[children] * 16;
    }
    return static_cast<double>(sparse) / static_cast<double>(dense);
}

struct BestSizes {
    std::vector<unsigned> sizes;
    double share;
};

// So many sizes below 16 as take least: all there are are tried.
inline BestSizes best_sizes(const Histogram& histogram, unsigned count) {
    BestSizes best{{}, 2};
    for (unsigned chosen = 0; chosen < 1U << 16U; ++chosen) {
        if (static_cast<unsigned>(std::popcount(chosen)) != count) {
            continue;
        }
        std::vector<unsigned> sizes;
        for (unsigned rest = chosen; rest != 0; rest &= rest - 1) {
            sizes.push_back(static_cast<unsigned>(std::countr_zero(rest)));
        }
        const double share = share_of_dense(histogram, sizes);
        if (share < best.share) {
            best = {std::move(sizes), share};
        }
    }
    return best;
}

}  // namespace shamap
