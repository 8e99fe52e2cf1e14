// Nodes of 16 slots of which most are empty, texts of which many are equal, and the histogram that is true. With
// -DPOOLED the nodes come from a pool of the standard library.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <random>
#include <string>
#include <vector>

struct Node {
    virtual ~Node() = default;
    std::uint32_t mask = 0;
    std::array<std::array<std::uint64_t, 4>, 16> hashes{};
    std::array<std::shared_ptr<Node>, 16> children{};
};

std::shared_ptr<Node> make_node() {
#ifdef POOLED
    // Never destroyed: nodes live as long as the program.
    static auto* pool = new std::pmr::unsynchronized_pool_resource;
    return std::allocate_shared<Node>(std::pmr::polymorphic_allocator<Node>(pool));
#else
    return std::make_shared<Node>();
#endif
}

// Not a wrapper of the standard library: the place that a person would name.
__attribute__((noinline)) std::string* repeat(int i) { return new std::string(200, static_cast<char>('a' + i % 3)); }

int main() {
    static std::mt19937_64 random(1);
    static std::vector<std::shared_ptr<Node>> nodes;
    static std::vector<std::string*> texts;
    std::array<int, 17> histogram{};
    auto leaf = std::make_shared<int>(1);
    for (int i = 0; i < 4000; ++i) {
        auto node = make_node();
        for (int used = 1 + static_cast<int>(random() % 4); used > 0; --used) {
            const unsigned slot = random() % 16;
            node->mask |= 1U << slot;
            for (auto& word : node->hashes[slot]) {
                word = random();
            }
            node->children[slot] = i == 0 ? make_node() : nodes[random() % nodes.size()];
        }
        if (i == 0) {
            // The first has children of its own, which are empty.
            for (auto& child : node->children) {
                histogram[0] += child != nullptr;
            }
        }
        ++histogram[__builtin_popcount(node->mask)];
        nodes.push_back(std::move(node));
        texts.push_back(repeat(i));
    }
    for (int count : histogram) {
        std::printf("%d ", count);
    }
    std::puts("");
    std::exit(5);
}
