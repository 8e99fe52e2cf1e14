// What programs keep without waste, and what may look like half-empty nodes or second caches.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

static std::mt19937_64 random_bits(1);

static std::uint64_t below(std::uint64_t limit) { return random_bits() % limit; }

__attribute__((noinline)) std::string words(unsigned count) {
    static const char* const all[] = {"the ",   "of ",    "and ",   "request ", "river ",   "user ",
                                      "house ", "value ", "window ", "between ", "evening ", "number "};
    std::string made;
    for (unsigned i = 0; i < count; ++i) {
        made += all[below(12)];
    }
    made.shrink_to_fit();
    return made;
}

// Buffers in which longer texts stood before: what is behind the end is left there.
__attribute__((noinline)) char* stale_text() {
    auto* longer = static_cast<char*>(std::malloc(256));
    const std::string before = words(30);
    std::strncpy(longer, before.c_str(), 255);
    std::free(longer);
    auto* text = static_cast<char*>(std::malloc(256));
    const std::string now = words(static_cast<unsigned>(1 + below(20)));
    std::strncpy(text, now.c_str(), now.size() < 250 ? now.size() + 1 : 250);
    return text;
}

// A node of a plain binary tree.
struct Tree {
    std::uint64_t key = random_bits();
    std::unique_ptr<Tree> left, right;
};

void insert(std::unique_ptr<Tree>& at, std::unique_ptr<Tree> node) {
    if (!at) {
        at = std::move(node);
    } else {
        auto& side = node->key < at->key ? at->left : at->right;
        insert(side, std::move(node));
    }
}

// Objects of which some fields are optional, each by itself.
struct Person {
    std::uint64_t id = 0;
    char name[24] = {};
    Person* father = nullptr;
    Person* mother = nullptr;
    std::uint32_t flags = 0;
    double height = 0;
    std::string* note = nullptr;
};

struct Cell {
    std::uint64_t hash;
    Person* value;
    std::uint64_t count;
};

// A table of open addressing: half of its cells are empty, as they must be.
std::vector<Cell> table(std::size_t cells, const std::vector<std::unique_ptr<Person>>& people) {
    std::vector<Cell> made(cells, Cell{0, nullptr, 0});
    for (std::size_t i = 0; i < cells / 2; ++i) {
        const std::uint64_t hash = random_bits();
        std::size_t at = hash % cells;
        while (made[at].hash != 0) {
            at = (at + 1) % cells;
        }
        made[at] = {hash, people[below(people.size())].get(), 1 + below(9)};
    }
    return made;
}

int main() {
    static std::vector<char*> texts;
    static std::vector<std::vector<std::uint64_t>> random_data;
    static std::unique_ptr<Tree> tree;
    static std::map<std::string, std::string> dictionary;
    static std::vector<std::unique_ptr<Person>> people;
    static std::vector<std::vector<Cell>> tables;
    static std::vector<std::vector<double>> matrices;
    static std::vector<std::vector<std::uint32_t>> sparse;
    static std::vector<std::vector<Person>> rows;
    static std::vector<std::string> files;
    static std::vector<std::string> lines;
    static std::list<std::vector<std::shared_ptr<Person>>> lists;
    static std::unordered_map<std::uint64_t, std::unique_ptr<Person>> by_number;
    static std::deque<Person*> queue;
    static std::vector<std::vector<Person*>> index;
    static std::pmr::unsynchronized_pool_resource pool;
    static std::pmr::map<std::uint64_t, std::uint64_t> pooled(&pool);

    for (int i = 0; i < 3000; ++i) {
        texts.push_back(stale_text());
    }
    for (int i = 0; i < 1000; ++i) {
        std::vector<std::uint64_t> data(1 + below(64));
        for (auto& word : data) {
            word = random_bits();
        }
        data.reserve(64);
        random_data.push_back(std::move(data));
    }
    for (int i = 0; i < 5000; ++i) {
        insert(tree, std::make_unique<Tree>());
        dictionary.emplace(words(4) + std::to_string(i), words(3));
        pooled.emplace(random_bits(), random_bits());
    }
    for (int i = 0; i < 5000; ++i) {
        auto person = std::make_unique<Person>();
        person->id = static_cast<std::uint64_t>(i);
        std::snprintf(person->name, sizeof person->name, "person %d", i);
        if (i > 10) {
            person->father = below(2) == 0 ? nullptr : people[below(people.size())].get();
            person->mother = below(2) == 0 ? nullptr : people[below(people.size())].get();
        }
        person->height = below(3) == 0 ? 0 : static_cast<double>(below(200)) / 100;
        people.push_back(std::move(person));
    }
    for (int i = 0; i < 100; ++i) {
        tables.push_back(table(64, people));
        std::vector<double> matrix(32 * 32);
        for (int cell = 0; cell < 200; ++cell) {
            matrix[below(matrix.size())] = static_cast<double>(random_bits()) / 1e19;
        }
        matrices.push_back(std::move(matrix));
        std::vector<std::uint32_t> counts(1000);
        for (int cell = 0; cell < 300; ++cell) {
            counts[below(counts.size())] = static_cast<std::uint32_t>(below(1000));
        }
        sparse.push_back(std::move(counts));
        std::vector<Person> row(50);
        for (auto& person : row) {
            person = *people[below(people.size())];
        }
        rows.push_back(std::move(row));
    }
    for (const std::size_t cells : {1024, 4096, 16384, 65536}) {
        tables.push_back(table(cells, people));
    }
    matrices.emplace_back(512 * 512);
    for (int cell = 0; cell < 60000; ++cell) {
        matrices.back()[below(512 * 512)] = static_cast<double>(random_bits()) / 1e19;
    }
    rows.emplace_back();
    for (int i = 0; i < 20000; ++i) {
        rows.back().push_back(*people[below(people.size())]);
    }
    // Files, and the lines that were read out of them.
    for (int i = 0; i < 10; ++i) {
        std::string file;
        for (int line = 0; line < 200; ++line) {
            lines.push_back(words(20) + std::to_string(random_bits()));
            file += lines.back() + "\n";
        }
        files.push_back(std::move(file));
    }
    for (int i = 0; i < 1000; ++i) {
        lists.emplace_back(below(16));
        for (auto& shared : lists.back()) {
            shared = std::make_shared<Person>(*people[below(people.size())]);
        }
        by_number.emplace(random_bits(), std::make_unique<Person>(*people[below(people.size())]));
        queue.push_back(people[below(people.size())].get());
        index.emplace_back();
        for (std::uint64_t entries = below(30); entries > 0; --entries) {
            index.back().push_back(people[below(people.size())].get());
        }
    }
    std::printf("%zu\n", texts.size());
    std::exit(0);
}
