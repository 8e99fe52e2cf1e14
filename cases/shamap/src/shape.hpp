// Keys for a tree of a given shape: exactly so many inner nodes with 0, 1, … 16 children.
//
// Nodes with two children or more are laid out level by level, those with the most children first, as a real tree has
// its full nodes at the top: as long as nodes are left, they take the branches; what then is left are leaves. A node
// with one child can only stand above another inner node (a single leaf would have moved up), so these are spread
// evenly over the ways from parents to children. Which branches a node uses is drawn at random. A node without children
// is an empty tree, beside the large one.

#pragma once

#include <array>
#include <numeric>
#include <stdexcept>

#include "keys.hpp"

namespace shamap {

using Histogram = std::array<std::uint64_t, 17>;

// The inner nodes of a server of the XRP Ledger: the measurement at github.com/seelabs/shamap_compress, behind pull
// request 3661 of rippled.
inline constexpr Histogram published{1,    100420, 550490, 280953, 195927, 108574, 45531, 15052, 4035,
                                     897,  189,    207,    189,    1256,   6383,   23127, 48588};

inline Histogram scaled(const Histogram& histogram, double share) {
    Histogram result;
    std::ranges::transform(histogram, result.begin(), [share](std::uint64_t nodes) {
        return static_cast<std::uint64_t>(static_cast<double>(nodes) * share + 0.5);
    });
    return result;
}

class Shape {
public:
    // Throws std::invalid_argument when no tree has these nodes.
    Shape(const Histogram& histogram, std::uint64_t seed) : random_(seed) {
        for (std::uint8_t children = 16; children >= 2; --children) {
            children_.insert(children_.end(), histogram[children], children);
        }
        singles_ = histogram[1];
        if (children_.empty() || (singles_ > 0 && children_.size() < 2)) {
            throw std::invalid_argument("no tree has these nodes");
        }
        // Level by level: a node's children follow those of the node before it.
        first_child_.reserve(children_.size());
        std::uint64_t next = 1;
        for (const std::uint8_t children : children_) {
            first_child_.push_back(next);
            next += std::min<std::uint64_t>(children, children_.size() - next);
        }
    }

    // In random order.
    std::vector<Key> keys() {
        std::vector<Key> keys;
        const std::uint64_t branches = std::accumulate(children_.begin(), children_.end(), std::uint64_t{0});
        keys.reserve(branches - (children_.size() - 1));
        descend(0, {}, 0, keys);
        for (std::size_t left = keys.size(); left > 1; --left) {
            std::swap(keys[left - 1], keys[random_.below(left)]);
        }
        return keys;
    }

private:
    static void set_branch(Key& key, unsigned depth, unsigned branch) {
        if (depth >= 63) {
            throw std::invalid_argument("the tree would be deeper than keys are long");
        }
        set_nibble(key, depth, branch);
    }

    // How many nodes of one child stand above a node: as even as whole numbers can be.
    std::uint64_t singles_above(std::uint64_t node) const {
        const std::uint64_t ways = children_.size() - 1;
        return node * singles_ / ways - (node - 1) * singles_ / ways;
    }

    void descend(std::uint64_t node, const Key& prefix, unsigned depth, std::vector<Key>& keys) {
        std::array<unsigned, 16> branches;
        std::iota(branches.begin(), branches.end(), 0U);
        const std::uint64_t inner_end =
            node + 1 < first_child_.size() ? first_child_[node + 1] : children_.size();
        for (unsigned i = 0; i < children_[node]; ++i) {
            std::swap(branches[i], branches[i + random_.below(16 - i)]);
            Key below = prefix;
            set_branch(below, depth, branches[i]);
            const std::uint64_t child = first_child_[node] + i;
            if (child >= inner_end) {
                keys.push_back(with_random_rest(below, depth + 1));
                continue;
            }
            unsigned child_depth = depth + 1;
            for (std::uint64_t singles = singles_above(child); singles > 0; --singles) {
                set_branch(below, child_depth++, static_cast<unsigned>(random_.below(16)));
            }
            descend(child, below, child_depth, keys);
        }
    }

    Key with_random_rest(const Key& prefix, unsigned depth) {
        Key key;
        random_.fill(key);
        for (unsigned i = 0; i < depth; ++i) {
            const std::uint8_t half = i % 2 == 0 ? 0xf0 : 0x0f;
            key[i / 2] = static_cast<std::uint8_t>((key[i / 2] & ~half) | (prefix[i / 2] & half));
        }
        return key;
    }

    Random random_;
    std::vector<std::uint8_t> children_;
    std::vector<std::uint64_t> first_child_;
    std::uint64_t singles_;
};

}  // namespace shamap
