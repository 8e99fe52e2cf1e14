// What tests need: a check that says where it failed, and random numbers that are the same everywhere.

#ifndef DEADWEIGHT_TEST_CHECK_HPP
#define DEADWEIGHT_TEST_CHECK_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                      \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                     \
        }                                                                                     \
    } while (false)

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    unsigned below(unsigned bound) { return static_cast<unsigned>(next() % bound); }

private:
    std::uint64_t state_;
};

#endif
