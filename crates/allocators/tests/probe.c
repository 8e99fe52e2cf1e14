/* Prints what the allocator that this program runs with gives for each size:
 *
 *     requested usable charged
 *
 * in bytes; "-" where the charge cannot be observed. Arguments: what to observe charges with, whether blocks are
 * kept or freed, a block to make and free before all others (0: none), then sizes as triples from, to, step.
 *
 * Nothing here but the blocks themselves may allocate: glibc maps a large block on its own only while its heap has
 * no room for it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEIGHBOURS = 8 };

/* The functions of a block: those of C, or of a collector. */
static void *(*make)(size_t) = malloc;
static void (*give_back)(void *) = free;
static size_t (*size_of)(void *) = malloc_usable_size;

static size_t (*heap_function)(void);
static size_t (*free_function)(void);

static int (*mallctl_function)(const char *, void *, size_t *, void *, size_t);
static int (*property_function)(const char *, size_t *);

static void *symbol(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found) {
        fprintf(stderr, "%s: not there, so the allocator was not loaded\n", name);
        exit(3);
    }
    return found;
}

/* What glibc counts as in use, mapped blocks included. */
static size_t counted_by_glibc(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Bytes of the pages jemalloc has given out. */
static size_t counted_by_jemalloc(void) {
    uint64_t epoch = 1;
    size_t epoch_bytes = sizeof epoch, active = 0, active_bytes = sizeof active;
    if (mallctl_function("epoch", &epoch, &epoch_bytes, &epoch, epoch_bytes)) exit(4);
    if (mallctl_function("stats.active", &active, &active_bytes, NULL, 0)) exit(4);
    return active;
}

static size_t counted_by_tcmalloc(void) {
    size_t bytes = 0;
    if (!property_function("generic.current_allocated_bytes", &bytes)) exit(4);
    return bytes;
}

/* Bytes of the pages that the collector has given out. */
static size_t counted_by_boehm(void) { return heap_function() - free_function(); }

/* The smallest distance among blocks made one after the other: neighbours in a run of their class. */
static size_t distance(size_t bytes) {
    char *blocks[NEIGHBOURS];
    size_t least = SIZE_MAX;
    for (int i = 0; i < NEIGHBOURS; i++) {
        blocks[i] = make(bytes);
        for (int j = 0; j < i; j++) {
            uintptr_t a = (uintptr_t)blocks[i], b = (uintptr_t)blocks[j];
            size_t apart = a > b ? a - b : b - a;
            if (apart < least) least = apart;
        }
    }
    for (int i = 0; i < NEIGHBOURS; i++) give_back(blocks[i]);
    return least;
}

int main(int count, char **arguments) {
    static char output[1 << 16];
    setvbuf(stdout, output, _IOFBF, sizeof output);
    if (count < 4) return 2;
    const char *with = arguments[1];
    int keep = !strcmp(arguments[2], "keep");
    size_t before = strtoul(arguments[3], NULL, 10);

    size_t (*counted)(void) = NULL;
    if (!strcmp(with, "glibc")) {
        mallopt(M_MXFAST, 0);
        /* The first block of all sets the heap up; so large a one leaves no room there for one to be mapped. */
        void *volatile filler = malloc(100000);
        (void)filler;
        counted = counted_by_glibc;
    } else if (!strcmp(with, "jemalloc")) {
        mallctl_function = symbol("mallctl");
        counted = counted_by_jemalloc;
    } else if (!strcmp(with, "tcmalloc")) {
        property_function = symbol("MallocExtension_GetNumericProperty");
        counted = counted_by_tcmalloc;
    } else if (!strcmp(with, "mimalloc")) {
        symbol("mi_malloc");
    } else if (!strcmp(with, "boehm")) {
        ((void (*)(void))symbol("GC_init"))();
        ((void (*)(void))symbol("GC_disable"))();
        make = symbol("GC_malloc");
        give_back = symbol("GC_free");
        size_of = symbol("GC_size");
        heap_function = symbol("GC_get_heap_size");
        free_function = symbol("GC_get_free_bytes");
        counted = counted_by_boehm;
    } else {
        return 2;
    }

    if (before) {
        void *volatile block = make(before);
        give_back(block);
    }
    for (int i = 4; i + 2 < count; i += 3) {
        size_t from = strtoul(arguments[i], NULL, 10);
        size_t to = strtoul(arguments[i + 1], NULL, 10);
        size_t step = strtoul(arguments[i + 2], NULL, 10);
        for (size_t bytes = from; bytes <= to; bytes += step) {
            size_t was = counted ? counted() : 0;
            void *volatile block = make(bytes);
            size_t charged = counted ? counted() - was : 0;
            size_t usable = size_of(block);
            if (!keep) give_back(block);
            /* These two count by pages, or not at all: the distance tells of blocks that share a run. */
            if (counted == counted_by_boehm) {
                if (usable <= 2048) charged = distance(bytes);
            } else if (counted != counted_by_glibc && counted != counted_by_tcmalloc) {
                if (usable <= 14336 || (!counted && usable <= 65536)) charged = distance(bytes);
                else if (!counted) charged = 0;
            }
            if (charged) printf("%zu %zu %zu\n", bytes, usable, charged);
            else printf("%zu %zu -\n", bytes, usable);
        }
    }
    return 0;
}
