// Trees of a given shape have it exactly.

#include <check.hpp>

#include "map.hpp"
#include "shape.hpp"

using namespace shamap;

namespace {

void check_shape(const Histogram& histogram, std::uint64_t seed) {
    Map<After> map;
    for (const Key& key : Shape(histogram, seed).keys()) {
        CHECK(map.insert(key, {}));
    }
    CHECK(map.children_histogram() == histogram);
}

void refuses(const Histogram& histogram) {
    bool threw = false;
    try {
        Shape(histogram, 1).keys();
    } catch (const std::invalid_argument&) {
        threw = true;
    }
    CHECK(threw);
}

}  // namespace

int main() {
    for (const double share : {0.000'1, 0.001, 0.03}) {
        check_shape(scaled(published, share), 1);
        check_shape(scaled(published, share), 2);
    }
    check_shape({0, 0, 1}, 1);
    check_shape({0, 5, 2}, 1);
    check_shape({0, 60, 2}, 1);
    check_shape({0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 7);
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        Histogram histogram{0, random.below(20), 2};
        for (std::size_t children = 3; children <= 16; ++children) {
            histogram[children] = random.below(6);
        }
        check_shape(histogram, random.next());
    }
    // Only one child, and keys that are too short.
    refuses({0, 2});
    refuses({0, 1, 1});
    refuses({0, 70, 2});
    // The published measurement has 1,381,819 nodes.
    CHECK(std::accumulate(published.begin(), published.end(), std::uint64_t{0}) == 1'381'819);
}
