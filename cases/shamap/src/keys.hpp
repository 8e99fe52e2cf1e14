// Keys and payloads: the same for the same seed, on every machine.

#pragma once

#include <cstring>

#include "hash.hpp"

namespace shamap {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    std::uint64_t below(std::uint64_t bound) noexcept { return next() % bound; }

    void fill(std::span<std::uint8_t> bytes) noexcept {
        for (std::size_t at = 0; at < bytes.size(); at += 8) {
            const std::uint64_t word = next();
            std::memcpy(bytes.data() + at, &word, std::min<std::size_t>(8, bytes.size() - at));
        }
    }

private:
    std::uint64_t state_;
};

// Key number `index`; there is no need to keep keys in order to search for them.
inline Key random_key(std::uint64_t seed, std::uint64_t index) noexcept {
    Random random(Random(seed).next() ^ Random(~index).next());
    Key key;
    random.fill(key);
    return key;
}

// Of the key's own bytes, so that equal keys have equal payloads.
inline void payload_of(const Key& key, std::span<std::uint8_t> payload) noexcept {
    std::uint64_t seed;
    std::memcpy(&seed, key.data() + 24, sizeof seed);
    Random(seed).fill(payload);
}

}  // namespace shamap
