// Objects of which the debug information says what their fields are called: bases, arrays, library types, nested
// structures, node types of containers, and two fields that only look like references.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shop {

template <unsigned long N> struct Lines {
    std::array<char*, N> raw{};
};

struct Named {
    virtual ~Named() = default;
    static inline long made = 0;
    char* name = nullptr;
};

struct Links {
    char* next = nullptr;
};

struct Customer : Named {
    long id = 0;
    Links links;
    std::string notes;
    std::vector<char> picture;
    std::unique_ptr<Lines<3>> lines;
    std::uintptr_t number = 0;
};

struct Price {
    long cents = 0;
    char* tag = nullptr;
};

} // namespace shop

// Blocks of a place of their own, so that only a field can name them.
template <int Kind> __attribute__((noinline)) char* text() {
    auto* made = static_cast<char*>(std::malloc(300 + Kind));
    std::memset(made, 'a' + Kind, 300 + Kind);
    return made;
}

int main() {
    static std::vector<std::shared_ptr<shop::Customer>> customers;
    static std::map<long, shop::Price> prices;
    for (long i = 0; i < 200; ++i) {
        auto customer = std::make_shared<shop::Customer>();
        customer->name = text<1>();
        customer->links.next = text<2>();
        customer->notes.assign(403, 'n');
        customer->picture.assign(404, 'p');
        customer->lines = std::make_unique<shop::Lines<3>>();
        customer->lines->raw[2] = text<5>();
        customer->number = reinterpret_cast<std::uintptr_t>(text<6>());
        prices[i].tag = text<7>();
        customers.push_back(std::move(customer));
    }
    std::exit(0);
}
