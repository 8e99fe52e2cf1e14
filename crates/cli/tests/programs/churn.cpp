// Allocates in several threads, frees much of it again in a random order, prints `mallinfo2` and every block that lives,
// and then waits, or aborts when it is told to.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    long sides = 3;
};
struct Circle : Shape {
    char name[40] = {1};
};

constexpr int THREADS = 5;
static std::vector<void*> live[THREADS + 1];

static void churn(int thread) {
    uint64_t x = 88172645463325252ull + thread * 977;
    auto next = [&] { x ^= x << 13; x ^= x >> 7; x ^= x << 17; return x; };
    auto& mine = live[thread];
    for (int step = 0; step < 20000; step++) {
        if ((next() & 3) == 0 && !mine.empty()) {
            size_t victim = next() % mine.size();
            free(mine[victim]);
            mine[victim] = mine.back();
            mine.pop_back();
            continue;
        }
        size_t bytes = next() % 100 == 0 ? next() % 300000 : next() % 500;
        void* block = nullptr;
        if (next() % 1000 == 1) {
            if (posix_memalign(&block, 64ul << next() % 8, bytes + 1)) abort();
        } else {
            block = malloc(bytes);
        }
        memset(block, 'A' + thread, bytes);
        mine.push_back(block);
    }
}

int main(int count, char**) {
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    for (int thread = 1; thread <= THREADS; thread++)
        threads.emplace_back([&, thread] { churn(thread); done++; for (;;) pause(); });
    churn(0);
    while (done < THREADS) usleep(1000);
    for (size_t bytes : {1000000ul, 40000000ul, 777777ul}) {
        for (size_t alignment : {0ul, 8192ul, 256ul}) {
            void* block = nullptr;
            if (alignment == 0) block = malloc(bytes);
            else if (posix_memalign(&block, alignment, bytes)) abort();
            memset(block, 7, 100);
            live[0].push_back(block);
        }
    }
    for (int shape = 0; shape < 1000; shape++) live[0].push_back(new Circle);
    setvbuf(stdout, nullptr, _IONBF, 0);
    // What is printed is not changed by printing it.
    live[0].reserve(live[0].size());
    struct mallinfo2 said = mallinfo2();
    char line[128];
    auto print = [&](int len) { if (write(1, line, len) != len) abort(); };
    print(snprintf(line, sizeof line, "%zu %zu\n", said.uordblks + said.hblkhd, said.arena + said.hblkhd));
    for (auto& blocks : live)
        for (void* block : blocks) print(snprintf(line, sizeof line, "%zx %zu\n", (size_t)block, malloc_usable_size(block)));
    print(snprintf(line, sizeof line, "end\n"));
    if (count > 1) abort();
    for (;;) pause();
}
