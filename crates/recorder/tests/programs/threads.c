// Threads allocate, hand over to each other, reallocate and free; then tell what must be alive.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 24, KEPT = 2000 };
static _Atomic(void *) shared[256];
static void *kept[THREADS][KEPT];
static size_t sizes[THREADS][KEPT];
static int milliseconds;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    uint64_t state = me * 7919 + 1;
    long end = now() + milliseconds;
    for (unsigned turn = 0; turn % 1024 || now() < end; turn++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned pick = state >> 33;
        size_t size = 1 + (pick >> 4) % (pick % 50 ? 300 : 200000);
        switch (pick & 3) {
        case 0: free(atomic_exchange(&shared[pick % 256], malloc(size))); break;
        case 1: free(malloc(size)); break;
        default:
            kept[me][pick % KEPT] = realloc(kept[me][pick % KEPT], size);
            sizes[me][pick % KEPT] = size;
        }
    }
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t threads[THREADS];
    milliseconds = count > 1 ? atoi(arguments[1]) : 1000;
    for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < KEPT; j++)
            if (kept[i][j]) printf("%p %zu\n", kept[i][j], sizes[i][j]);
    for (int i = 0; i < 256; i++)
        if (shared[i]) printf("%p 0\n", shared[i]);
    fflush(stdout);
    exit(0);
}
