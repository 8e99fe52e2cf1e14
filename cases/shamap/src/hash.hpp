// SHA-512Half, the first 256 bits of SHA-512: how the XRP Ledger names the nodes of its trees.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <openssl/evp.h>

namespace shamap {

using Hash = std::array<std::uint8_t, 32>;
using Key = std::array<std::uint8_t, 32>;
using Bytes = std::vector<std::uint8_t>;

// Throws std::runtime_error when OpenSSL cannot.
inline Hash sha512_half(std::span<const std::uint8_t> bytes) {
    // Looked up once: to find an algorithm takes OpenSSL 3 longer than to hash a node.
    static const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> sha512(EVP_MD_fetch(nullptr, "SHA512", nullptr),
                                                                       &EVP_MD_free);
    thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                                       &EVP_MD_CTX_free);
    std::array<std::uint8_t, 64> whole;
    if (!sha512 || !context || EVP_DigestInit_ex2(context.get(), sha512.get(), nullptr) != 1 ||
        EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1 ||
        EVP_DigestFinal_ex(context.get(), whole.data(), nullptr) != 1) {
        throw std::runtime_error("OpenSSL cannot compute SHA-512");
    }
    Hash half;
    std::copy_n(whole.begin(), half.size(), half.begin());
    return half;
}

// The branch that a key takes at an inner node of a depth: a half-byte, the upper one first.
inline unsigned nibble(const Key& key, unsigned depth) noexcept {
    const unsigned byte = key[depth / 2];
    return depth % 2 == 0 ? byte >> 4U : byte & 15U;
}

// Of a half-byte whatever stood there.
inline void set_nibble(Key& key, unsigned depth, unsigned value) noexcept {
    std::uint8_t& byte = key[depth / 2];
    byte = static_cast<std::uint8_t>(depth % 2 == 0 ? (byte & 0x0fU) | value << 4U : (byte & 0xf0U) | value);
}

inline std::string hex(std::span<const std::uint8_t> bytes) {
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += "0123456789ABCDEF"[byte >> 4U];
        text += "0123456789ABCDEF"[byte & 15U];
    }
    return text;
}

}  // namespace shamap
