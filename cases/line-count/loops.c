// The loop of String#count, once with a counter of 32 bits and once of 64: compilers that work on several bytes at once
// fit twice as many of the first into a register. Prints nanoseconds for 1.3 MB: `int`, then `size_t`.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BYTES 1300000
#define ROUNDS 20
#define TIMES 10

#define LOOP(name, counter)                                                              \
    __attribute__((noinline)) static size_t name(const char *at, const char *end, unsigned char wanted) { \
        counter found = 0;                                                               \
        while (at < end) {                                                               \
            if (*(const unsigned char *)at++ == wanted) found++;                         \
        }                                                                                \
        return (size_t)found;                                                            \
    }

LOOP(in_int, int)
LOOP(in_size, size_t)

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(void) {
    char *text = malloc(BYTES);
    if (!text) return 1;
    for (size_t i = 0; i < BYTES; i++) text[i] = i % 50 == 49 ? '\n' : 'x';
    size_t (*const loops[])(const char *, const char *, unsigned char) = {in_int, in_size};
    double best[] = {1e12, 1e12};
    // What the compiler cannot know is not folded.
    volatile unsigned char wanted = '\n';
    volatile size_t found = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int loop = 0; loop < 2; loop++) {
            double start = now();
            for (int i = 0; i < TIMES; i++) found += loops[loop](text, text + BYTES, wanted);
            double each = (now() - start) / TIMES;
            if (each < best[loop]) best[loop] = each;
        }
    }
    printf("%.0f %.0f\n", best[0], best[1]);
    free(text);
    return found == 0;
}
