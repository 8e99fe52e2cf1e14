// Records with values that few of them have: texts that are missing, and texts that are empty. With -DBESIDE they stand in
// a record beside, made when the first of them comes; with -DMANY more records have them, and with -DAPART each then
// stands in a block of its own. Prints the bytes in use.

#include <malloc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

static std::mt19937_64 random_bits(1);

#ifdef MANY
constexpr std::uint64_t share = 80;
#else
constexpr std::uint64_t share = 10;
#endif

static bool has_one() { return random_bits() % 1000 < share; }

// Too short for a block of its own.
static std::string note() { return std::to_string(random_bits() % 1'000'000 + 1'000'000); }

struct Optionals {
    std::optional<std::string> notes[8];
};

struct Order {
    std::uint64_t id = random_bits() | 1;
    double price = static_cast<double>(random_bits() % 1000 + 1);
    std::uint64_t time = random_bits() | 1;
#if defined(BESIDE)
    std::unique_ptr<Optionals> rare;
    void set(int at) {
        if (!rare) rare = std::make_unique<Optionals>();
        rare->notes[at] = note();
    }
#elif defined(APART)
    std::unique_ptr<std::optional<std::string>> notes[8];
    void set(int at) { notes[at] = std::make_unique<std::optional<std::string>>(note()); }
#else
    std::optional<std::string> first, second, third, fourth, fifth, sixth, seventh, eighth;
    void set(int at) {
        std::optional<std::string>* const all[] = {&first, &second, &third, &fourth, &fifth, &sixth, &seventh, &eighth};
        *all[at] = note();
    }
#endif
};

struct Texts {
    std::string notes[6];
};

struct Person {
    std::uint64_t id = random_bits() | 1;
    std::uint64_t born = random_bits() | 1;
#if defined(BESIDE)
    std::unique_ptr<Texts> rare;
    void set(int at) {
        if (!rare) rare = std::make_unique<Texts>();
        rare->notes[at] = note();
    }
#elif defined(APART)
    std::unique_ptr<std::string> notes[6];
    void set(int at) { notes[at] = std::make_unique<std::string>(note()); }
#else
    std::string first, second, third, fourth, fifth, sixth;
    void set(int at) {
        std::string* const all[] = {&first, &second, &third, &fourth, &fifth, &sixth};
        *all[at] = note();
    }
#endif
};

__attribute__((noinline)) std::unique_ptr<Order> new_order() {
    auto made = std::make_unique<Order>();
    for (int at = 0; at < 8; ++at) {
        if (has_one()) made->set(at);
    }
    return made;
}

__attribute__((noinline)) std::unique_ptr<Person> new_person() {
    auto made = std::make_unique<Person>();
    for (int at = 0; at < 6; ++at) {
        if (has_one()) made->set(at);
    }
    return made;
}

int main() {
    static std::vector<std::unique_ptr<Order>> orders;
    static std::vector<std::unique_ptr<Person>> people;
    orders.reserve(5000);
    people.reserve(5000);
    for (int i = 0; i < 5000; ++i) {
        orders.push_back(new_order());
        people.push_back(new_person());
    }
    const struct mallinfo2 info = mallinfo2();
    std::printf("bytes %zu\n", info.uordblks + info.hblkhd);
    std::fflush(stdout);
    std::exit(0);
}
