// Prints the sizes that take least for the published numbers of children, for none to 16 sizes below 16, as JSON.

#include <iomanip>
#include <iostream>

#include "savings.hpp"

int main() {
    std::cout << std::setprecision(12) << "{\"table\": [";
    for (unsigned count = 0; count <= 16; ++count) {
        const auto best = shamap::best_sizes(shamap::published, count);
        std::cout << (count == 0 ? "" : ", ") << "{\"share\": " << best.share << ", \"sizes\": [";
        for (const unsigned size : best.sizes) {
            std::cout << size << ", ";
        }
        std::cout << "16]}";
    }
    std::cout << "]}" << std::endl;
}
