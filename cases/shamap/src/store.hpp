// The node store: nodes in serialised form, found by their hash.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <unordered_map>

#include <unistd.h>

#include "hash.hpp"

namespace shamap {

// A node is missing from the store, or is not what its hash says.
class CorruptStore : public std::runtime_error {
public:
    explicit CorruptStore(const Hash& hash) : std::runtime_error("no such node: " + hex(hash)) {}
};

// Nodes in a temporary file without a name. They come in segments: the nodes, then an index sorted by hash.
class NodeFile {
public:
    // Throws std::system_error when there is no room for temporary files.
    NodeFile() : file_(std::tmpfile(), &std::fclose) {
        if (!file_) {
            throw std::system_error(errno, std::generic_category(), "no temporary file");
        }
    }

    void put(const Hash& hash, std::span<const std::uint8_t> serial) {
        index_.push_back({hash, end_ + pending_.size(), serial.size()});
        pending_.insert(pending_.end(), serial.begin(), serial.end());
        if (index_.size() == segment_nodes) {
            commit();
        }
    }

    // Only what is committed can be found.
    void commit() {
        if (index_.empty()) {
            return;
        }
        write(pending_.data(), pending_.size());
        std::ranges::sort(index_, {}, &Entry::hash);
        segments_.push_back({end_, index_.size()});
        write(index_.data(), index_.size() * sizeof(Entry));
        pending_.clear();
        index_.clear();
    }

    // Empty when there is no such node.
    Bytes get(const Hash& hash) const {
        for (const Segment& segment : segments_) {
            std::uint64_t low = 0;
            std::uint64_t high = segment.nodes;
            while (low < high) {
                const std::uint64_t middle = low + (high - low) / 2;
                Entry entry;
                read(&entry, sizeof entry, segment.index + middle * sizeof entry);
                if (entry.hash == hash) {
                    Bytes serial(entry.bytes);
                    read(serial.data(), serial.size(), entry.at);
                    return serial;
                }
                (entry.hash < hash ? low : high) = entry.hash < hash ? middle + 1 : middle;
            }
        }
        return {};
    }

private:
    static constexpr std::size_t segment_nodes = 16 * 1024;

    struct Entry {
        Hash hash;
        std::uint64_t at;
        std::uint64_t bytes;
    };

    struct Segment {
        std::uint64_t index;  // where it begins
        std::uint64_t nodes;
    };

    void write(const void* from, std::size_t bytes) {
        const auto* at = static_cast<const std::uint8_t*>(from);
        while (bytes > 0) {
            const ssize_t written = ::pwrite(::fileno(file_.get()), at, bytes, static_cast<off_t>(end_));
            if (written < 0) {
                throw std::system_error(errno, std::generic_category(), "the node file cannot be written");
            }
            at += written;
            end_ += static_cast<std::uint64_t>(written);
            bytes -= static_cast<std::size_t>(written);
        }
    }

    void read(void* to, std::size_t bytes, std::uint64_t from) const {
        if (::pread(::fileno(file_.get()), to, bytes, static_cast<off_t>(from)) != static_cast<ssize_t>(bytes)) {
            throw std::system_error(errno, std::generic_category(), "the node file cannot be read");
        }
    }

    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    std::uint64_t end_ = 0;
    Bytes pending_;
    std::vector<Entry> index_;
    std::vector<Segment> segments_;
};

// A node as it is stored: what a cache of serialised nodes holds.
struct NodeObject {
    Hash hash;
    Bytes serial;
};

// The file, and on request a cache of all nodes that were stored, beside the nodes that the trees hold.
class NodeStore {
public:
    explicit NodeStore(bool caches) : caches_(caches) {}

    void put(const Hash& hash, std::span<const std::uint8_t> serial) {
        file_.put(hash, serial);
        if (caches_) {
            cache_.try_emplace(hash,
                               std::make_shared<NodeObject>(NodeObject{hash, Bytes(serial.begin(), serial.end())}));
        }
    }

    void commit() { file_.commit(); }

    // Throws CorruptStore when it is missing or not what its hash says.
    Bytes get(const Hash& hash) const {
        if (const auto cached = cache_.find(hash); cached != cache_.end()) {
            return cached->second->serial;
        }
        Bytes serial = file_.get(hash);
        if (serial.empty() || sha512_half(serial) != hash) {
            throw CorruptStore(hash);
        }
        return serial;
    }

    // Forgets nodes of the cache, whichever, until there are no more than that. The file still has them.
    template <class Random>
    void shrink_cache(std::size_t nodes, Random& random) {
        while (cache_.size() > nodes) {
            const std::size_t bucket = random.below(cache_.bucket_count());
            if (const auto first = cache_.begin(bucket); first != cache_.end(bucket)) {
                const Hash hash = first->first;
                cache_.erase(hash);
            }
        }
    }

    std::size_t cached() const noexcept { return cache_.size(); }

private:
    // Hashes are as good as random already.
    struct FirstWord {
        std::size_t operator()(const Hash& hash) const noexcept {
            std::size_t word;
            std::memcpy(&word, hash.data(), sizeof word);
            return word;
        }
    };

    bool caches_;
    NodeFile file_;
    std::unordered_map<Hash, std::shared_ptr<const NodeObject>, FirstWord> cache_;
};

}  // namespace shamap
