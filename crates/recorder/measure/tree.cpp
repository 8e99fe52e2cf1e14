// A dense 16-ary radix tree over 256-bit keys: every inner node has room for 16 hashes and 16 children.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>
#include <signal.h>
#include <unistd.h>
struct Key { std::array<uint8_t,32> bytes; int nibble(int d) const { return d%2 ? bytes[d/2]&15 : bytes[d/2]>>4; } };
struct Node { virtual ~Node() = default; };
struct Leaf : Node { Key key; std::vector<uint8_t> payload; Leaf(const Key& k, size_t n): key(k), payload(n, k.bytes[5]) {} };
struct Inner : Node { uint16_t mask = 0; std::array<std::array<uint8_t,32>,16> hashes{}; std::array<std::shared_ptr<Node>,16> children{}; };
static void insert(const std::shared_ptr<Inner>& node, const std::shared_ptr<Leaf>& leaf, int depth) {
    int b = leaf->key.nibble(depth);
    auto& child = node->children[b];
    memcpy(node->hashes[b].data(), leaf->key.bytes.data(), 32);
    if (!child) { node->mask |= 1u << b; child = leaf; return; }
    if (auto inner = std::dynamic_pointer_cast<Inner>(child)) return insert(inner, leaf, depth + 1);
    auto other = std::static_pointer_cast<Leaf>(child);
    auto inner = std::make_shared<Inner>();
    child = inner;
    insert(inner, other, depth + 1);
    insert(inner, leaf, depth + 1);
}
int main(int argc, char** argv) {
    size_t count = argc > 1 ? strtoull(argv[1], nullptr, 10) : 500000;
    int wait = argc > 2 ? atoi(argv[2]) : 0;
    std::mt19937_64 random(7);
    auto root = std::make_shared<Inner>();
    for (size_t i = 0; i < count; i++) {
        Key key;
        for (int w = 0; w < 4; w++) { uint64_t v = random(); memcpy(key.bytes.data() + 8*w, &v, 8); }
        auto leaf = std::make_shared<Leaf>(key, 40);
        insert(root, leaf, 0);
    }
    if (wait) { raise(SIGUSR2); sleep(wait); }
    printf("%u\n", root->mask);
    if (argc > 2 && !strcmp(argv[2], "free")) root.reset();
    fflush(stdout);
    exit(0);
}
