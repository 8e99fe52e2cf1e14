// What a program takes: memory and time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <functional>

#include <malloc.h>
#include <unistd.h>

// jemalloc's, when it is loaded before glibc's allocator.
extern "C" int mallctl(const char* name, void* old, std::size_t* old_size, void* fresh, std::size_t fresh_size)
    __attribute__((weak));

namespace shamap {

// What the allocator has handed out; glibc's in its heap and in mappings of their own.
inline std::size_t bytes_in_use() {
    if (mallctl != nullptr) {
        // Blocks that the thread keeps to hand out again would count.
        ::mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
        std::uint64_t epoch = 1;
        ::mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch);
        std::size_t allocated = 0;
        std::size_t size = sizeof allocated;
        ::mallctl("stats.allocated", &allocated, &size, nullptr, 0);
        return allocated;
    }
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
}

inline std::size_t resident_bytes_as_they_are() {
    std::ifstream statm("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    statm >> size >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

inline std::size_t resident_bytes() {
    // Free memory between blocks may or may not have gone back; what is measured is what is needed.
    if (mallctl != nullptr) {
        ::mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // of all arenas
    } else {
        ::malloc_trim(0);
    }
    return resident_bytes_as_they_are();
}

// Of processor time: what other programs take does not count.
inline double milliseconds(const std::function<void()>& work) {
    const auto now = [] {
        timespec time{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    };
    const double start = now();
    work();
    return now() - start;
}

}  // namespace shamap
