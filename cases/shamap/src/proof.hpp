// Proofs that a tree with a given root hash holds a leaf.

#pragma once

#include "format.hpp"

namespace shamap {

// The nodes from the root down to the leaf, as they are hashed.
using Proof = std::vector<Bytes>;

// The payload, which lies in the proof, if it proves that a state with this root hash has this key. Whatever the proof
// holds, this is safe.
inline std::optional<std::span<const std::uint8_t>> verify(const Hash& root, const Key& key, const Proof& proof) {
    if (proof.size() < 2 || proof.size() > 65) {
        return std::nullopt;
    }
    Hash expected = root;
    for (unsigned depth = 0; depth + 1 < proof.size(); ++depth) {
        const auto children = parse_inner(proof[depth]);
        if (!children || sha512_half(proof[depth]) != expected) {
            return std::nullopt;
        }
        expected = (*children)[nibble(key, depth)];
    }
    const auto leaf = parse_state_leaf(proof.back());
    if (!leaf || leaf->key != key || sha512_half(proof.back()) != expected) {
        return std::nullopt;
    }
    return leaf->payload;
}

}  // namespace shamap
