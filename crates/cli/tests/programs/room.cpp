// Room that is asked for and never used: vectors made for a thousand elements that get a few, and buffers of a page
// that hold a line. With -DFIXED each is made for what it gets. Between them blocks come and go, so that the memory
// they get held something else before. Prints the bytes in use.

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

static std::mt19937_64 random_bits(1);

static std::uint64_t below(std::uint64_t limit) { return random_bits() % limit; }

struct Person {
    std::uint64_t id;
    std::uint64_t born;
};

static std::vector<std::unique_ptr<Person>> people;

__attribute__((noinline)) std::vector<Person*> friends(std::size_t count) {
    std::vector<Person*> made;
#ifdef FIXED
    made.reserve(count);
#else
    made.reserve(1000);
#endif
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(people[below(people.size())].get());
    }
    return made;
}

__attribute__((noinline)) char* line(const std::string& text) {
#ifdef FIXED
    auto* made = static_cast<char*>(std::malloc(text.size() + 1));
#else
    auto* made = static_cast<char*>(std::malloc(4096));
#endif
    std::memcpy(made, text.c_str(), text.size() + 1);
    return made;
}

// Vectors that grow as they are filled: what doubling leaves is as it must be.
__attribute__((noinline)) std::vector<std::uint64_t> grown(std::size_t count) {
    std::vector<std::uint64_t> made;
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(random_bits() | 1);
    }
    return made;
}

__attribute__((noinline)) void churn() {
    std::vector<std::string> passing;
    for (int i = 0; i < 50; ++i) {
        passing.emplace_back(200 + below(9000), 'x');
    }
}

int main() {
    static std::vector<std::vector<Person*>> lists;
    static std::vector<char*> lines;
    static std::vector<std::vector<std::uint64_t>> series;
    for (int i = 0; i < 1000; ++i) {
        people.push_back(std::make_unique<Person>(Person{random_bits(), random_bits()}));
    }
    for (int i = 0; i < 2000; ++i) {
        if (i % 10 == 0) {
            churn();
        }
        lists.push_back(friends(1 + below(40)));
        lines.push_back(line(std::to_string(i) + std::string(60 + below(80), 'l')));
        series.push_back(grown(1 + below(300)));
    }
    const struct mallinfo2 info = mallinfo2();
    std::printf("bytes %zu\n", info.uordblks + info.hblkhd);
    std::fflush(stdout);
    std::exit(0);
}
