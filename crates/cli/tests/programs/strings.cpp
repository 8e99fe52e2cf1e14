// Strings of which many are equal, made at several places and with several rooms. With -DINTERNED each value is kept
// once, and the records have views of it. Prints the bytes in use.

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

static std::mt19937_64 random_bits(1);

static std::uint64_t below(std::uint64_t limit) { return random_bits() % limit; }

#ifdef INTERNED
using Text = std::string_view;

static Text text(std::string made) {
    static auto* all = new std::unordered_set<std::string>;
    made.shrink_to_fit();
    return *all->insert(std::move(made)).first;
}
#else
using Text = std::string;

static Text text(std::string made) { return made; }
#endif

struct Record {
    std::uint64_t id;
    Text city, owner;
    std::string note;
};

static std::string city(std::uint64_t number) { return "the city with the number " + std::to_string(100 + number); }

__attribute__((noinline)) Text read_city(const std::string& line) { return text(line.substr(0, line.find(','))); }

__attribute__((noinline)) Text read_owner(std::uint64_t number) {
    std::string made;
    made.reserve(24 + below(64));
    made += "owned by those in ";
    made += city(number);
    return text(std::move(made));
}

__attribute__((noinline)) std::string read_note(std::uint64_t number) {
    return "a note that nobody else has: " + std::to_string(1000000 + number);
}

int main() {
    static std::vector<std::unique_ptr<Record>> records;
    records.reserve(20000);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const std::string line = city(below(50)) + ", and more that stands in the line";
        records.push_back(std::make_unique<Record>(Record{i, read_city(line), read_owner(below(50)), read_note(i)}));
    }
    const struct mallinfo2 info = mallinfo2();
    std::printf("bytes %zu\n", info.uordblks + info.hblkhd);
    std::fflush(stdout);
    std::exit(0);
}
