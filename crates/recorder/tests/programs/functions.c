// One block of every function, told with what the allocator says of it; the freed ones must not be found.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const char *name, void *block, size_t size) {
    memset(block, 0x5A, size);
    printf("%s %p %zu %zu\n", name, block, size, malloc_usable_size(block));
}

int main(void) {
    void *aligned;
    setvbuf(stdout, NULL, _IOLBF, 0);
    tell("malloc", malloc(100), 100);
    tell("calloc", calloc(7, 30), 210);
    tell("realloc", realloc(malloc(10), 5000), 5000);
    tell("shrunk", realloc(malloc(5000), 20), 20);
    tell("reallocarray", reallocarray(NULL, 9, 11), 99);
    if (posix_memalign(&aligned, 256, 300)) return 1;
    tell("posix_memalign", aligned, 300);
    tell("aligned_alloc", aligned_alloc(64, 640), 640);
    tell("memalign", memalign(128, 77), 77);
    tell("valloc", valloc(50), 50);
    tell("pvalloc", pvalloc(60), 60);
    tell("strdup", strdup("twelve bytes"), 13);
    tell("mapped", malloc(3000000), 3000000);
    void *freed = malloc(123457);
    printf("freed %p 0 0\n", freed);
    free(freed);
    if (reallocarray(NULL, (size_t)-1, 16)) return 2;
    void *kept = malloc(333);
    memset(kept, 0x5A, 333);
    if (realloc(kept, (size_t)1 << 62)) return 3;
    printf("kept %p 333 %zu\n", kept, malloc_usable_size(kept));
    exit(7);
}
