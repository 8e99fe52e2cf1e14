// What is hashed, stored and proven: the XRP Ledger's "prefix format". Each kind of node begins with four bytes of
// its own, so that no node can be taken for one of another kind.

#pragma once

#include <algorithm>
#include <optional>

#include "hash.hpp"

namespace shamap {

// What a tree's leaves are, for hashing.
enum class LeafKind : std::uint8_t {
    state,        // hashed with its key
    transaction,  // hashed alone: in a ledger the key is the hash
};

using Prefix = std::array<std::uint8_t, 4>;
inline constexpr Prefix inner_prefix{'M', 'I', 'N', 0};
inline constexpr Prefix state_prefix{'M', 'L', 'N', 0};
inline constexpr Prefix transaction_prefix{'T', 'X', 'N', 0};

using ChildHashes = std::array<Hash, 16>;
using SerialInner = std::array<std::uint8_t, 4 + 16 * 32>;

// Absent children have a hash of zeros.
inline SerialInner serialise(const ChildHashes& children) noexcept {
    SerialInner serial;
    auto to = std::copy(inner_prefix.begin(), inner_prefix.end(), serial.begin());
    for (const Hash& child : children) {
        to = std::copy(child.begin(), child.end(), to);
    }
    return serial;
}

inline void serialise(LeafKind kind, const Key& key, std::span<const std::uint8_t> payload, Bytes& serial) {
    const Prefix& prefix = kind == LeafKind::state ? state_prefix : transaction_prefix;
    serial.assign(prefix.begin(), prefix.end());
    serial.insert(serial.end(), payload.begin(), payload.end());
    if (kind == LeafKind::state) {
        serial.insert(serial.end(), key.begin(), key.end());
    }
}

inline bool has_prefix(std::span<const std::uint8_t> serial, const Prefix& prefix) noexcept {
    return serial.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), serial.begin());
}

// Nothing when it is no inner node.
inline std::optional<ChildHashes> parse_inner(std::span<const std::uint8_t> serial) noexcept {
    if (serial.size() != SerialInner{}.size() || !has_prefix(serial, inner_prefix)) {
        return std::nullopt;
    }
    ChildHashes children;
    for (std::size_t i = 0; i < children.size(); ++i) {
        std::copy_n(serial.begin() + static_cast<std::ptrdiff_t>(4 + 32 * i), 32, children[i].begin());
    }
    return children;
}

struct StateLeaf {
    Key key;
    std::span<const std::uint8_t> payload;
};

// Nothing when it is no leaf of a state.
inline std::optional<StateLeaf> parse_state_leaf(std::span<const std::uint8_t> serial) noexcept {
    if (serial.size() < 4 + 32 || !has_prefix(serial, state_prefix)) {
        return std::nullopt;
    }
    StateLeaf leaf{{}, serial.subspan(4, serial.size() - 36)};
    std::copy_n(serial.end() - 32, 32, leaf.key.begin());
    return leaf;
}

}  // namespace shamap
