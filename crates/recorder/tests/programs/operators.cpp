// One block of every operator new, freed ones, and an exception that must come through.
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>

struct alignas(128) Wide { char bytes[256]; };

static void tell(const char* name, void* block, size_t size) {
    printf("%s %p %zu %zu\n", name, block, size, malloc_usable_size(block));
}

static int asked = 0;

int main(int argc, char**) {
    tell("new", ::operator new(100), 100);
    tell("new[]", ::operator new[](200), 200);
    tell("nothrow", ::operator new(300, std::nothrow), 300);
    tell("nothrow[]", ::operator new[](400, std::nothrow), 400);
    tell("aligned", new Wide, 256);
    tell("aligned[]", new Wide[3], 768);
    tell("aligned-nothrow", new (std::nothrow) Wide, 256);
    void* one = ::operator new(1000); ::operator delete(one);
    void* two = ::operator new[](1000); ::operator delete[](two, 1000);
    Wide* three = new Wide; delete three;
    size_t huge = size_t(1) << (61 + (argc > 9));
    std::set_new_handler([] { if (++asked == 2) std::set_new_handler(nullptr); });
    try { ::operator new(huge); return 1; } catch (const std::bad_alloc&) {}
    if (asked != 2 || ::operator new(huge, std::nothrow)) return 2;
    fflush(stdout);
    exit(0);
}
