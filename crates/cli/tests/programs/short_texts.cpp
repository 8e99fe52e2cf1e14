// Records with texts of which some are so short that they stand in the record itself, and others are equal.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct Visit {
    std::string page;
    std::string agent;
    unsigned long number;
};

__attribute__((noinline)) std::string agent(unsigned long number) {
    return "a browser with a long name, of version " + std::to_string(100 + number % 20);
}

__attribute__((noinline)) std::string page(unsigned long number) {
    // Up to fifteen bytes, and sometimes a few more.
    return std::string(1 + number % 17, 'a' + number % 23);
}

__attribute__((noinline)) std::unique_ptr<Visit> visit(unsigned long number) {
    return std::make_unique<Visit>(Visit{page(number), agent(number), number});
}

int main() {
    static std::vector<std::unique_ptr<Visit>> visits;
    for (unsigned long number = 0; number < 3000; number++) visits.push_back(visit(number));
    std::exit(0);
}
