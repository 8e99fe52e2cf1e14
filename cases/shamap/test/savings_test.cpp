// The published table of sizes, row by row.

#include <cmath>

#include <check.hpp>

#include "savings.hpp"

using namespace shamap;

namespace {

struct Row {
    double share;
    // As the text gives it: cut, not rounded, to three digits.
    double printed;
    std::vector<unsigned> sizes;
};

// From github.com/seelabs/shamap_compress, the notebook and the text beside it.
const std::array<Row, 17> rows{{
    {1.0, 1.000, {}},
    {0.3848681068215157, 0.384, {5}},
    {0.2937501221216382, 0.293, {3, 6}},
    {0.25929318528692974, 0.259, {2, 4, 6}},
    {0.24646873975535147, 0.246, {2, 3, 5, 7}},
    {0.23760691523274757, 0.237, {2, 3, 4, 5, 7}},
    {0.23306484966554955, 0.233, {1, 2, 3, 4, 5, 7}},
    {0.23022624526077584, 0.230, {1, 2, 3, 4, 5, 6, 8}},
    {0.2287676605980957, 0.228, {1, 2, 3, 4, 5, 6, 8, 15}},
    {0.228025929951752, 0.228, {1, 2, 3, 4, 5, 6, 7, 9, 15}},
    {0.2276539564877889, 0.227, {1, 2, 3, 4, 5, 6, 7, 9, 14, 15}},
    {0.2274714524840084, 0.227, {1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 15}},
    {0.22738818361883864, 0.227, {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15}},
    {0.2273523612716282, 0.227, {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 15}},
    {0.22734381275695298, 0.227, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15}},
    {0.22733526424227776, 0.227, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
    {0.22733521901204137, 0.227, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
}};

// With one size, whatever it is: the notebook prints these, too.
constexpr std::array<double, 17> one_size{
    0.999999276316218,   0.9318690164920297,  0.5878279825360629, 0.45207042311619683, 0.3878769578360118,
    0.3848681068215157,  0.42019540909482356, 0.4720486185238443, 0.5292498511020618,  0.587809619060094,
    0.646642668106315,   0.7054887434606124,  0.7643568007097891, 0.8230971730016738,  0.8814873728035293,
    0.9396976467250776,  1.0};

}  // namespace

int main() {
    for (unsigned count = 0; count < rows.size(); ++count) {
        const BestSizes best = best_sizes(published, count);
        CHECK(best.sizes == rows[count].sizes);
        CHECK(std::abs(best.share - rows[count].share) < 1e-15);
        CHECK(std::abs(std::floor(best.share * 1000 + 1e-9) / 1000 - rows[count].printed) < 1e-9);
    }
    for (unsigned size = 0; size < one_size.size(); ++size) {
        CHECK(std::abs(share_of_dense(published, {size}) - one_size[size]) < 1e-15);
    }
}
