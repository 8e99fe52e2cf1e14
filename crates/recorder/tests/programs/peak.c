// Programs that hold most before their end, by the first argument. Each prints how many bytes it held at its highest.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 20000, SIZE = 400 };
static size_t held;

static void **fill(size_t count, size_t size) {
    void **blocks = malloc(count * sizeof *blocks);
    for (size_t i = 0; i < count; i++) blocks[i] = memset(malloc(size), 7, size);
    held += count * (sizeof *blocks + size);
    return blocks;
}

static void empty(void **blocks, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++) free(blocks[i]);
    free(blocks);
    held -= count * (sizeof *blocks + size);
}

static void work(int milliseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        // The compiler must not know that nothing is done with it.
        for (int i = 0; i < 1000; i++) { void *volatile block = malloc(64); free(block); }
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < milliseconds);
}

static void *thread(void *argument) {
    void **blocks = fill(COUNT, SIZE);
    printf("%zu\n", held);
    empty(blocks, COUNT, SIZE);
    return argument;
}

int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "freed";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!strcmp(way, "freed")) thread(NULL);
    if (!strcmp(way, "block")) {
        char *large = memset(malloc(30 << 20), 9, 30 << 20);
        printf("%d\n", 30 << 20);
        free(large);
    }
    if (!strcmp(way, "saw")) {
        for (size_t turn = 1; turn <= 40; turn++) {
            void **blocks = fill(turn * 500, SIZE);
            if (turn == 40) printf("%zu\n", held);
            empty(blocks, turn * 500, SIZE);
        }
    }
    if (!strcmp(way, "phases")) {
        // The lower one lies between two higher ones.
        for (size_t phase = 0; phase < 3; phase++) {
            size_t many = phase == 1 ? COUNT / 2 : COUNT * (1 + phase);
            void **blocks = fill(many, SIZE);
            if (phase == 2) printf("%zu\n", held);
            empty(blocks, many, SIZE);
        }
    }
    if (!strcmp(way, "kept")) {
        void **blocks = fill(COUNT, SIZE);
        printf("%zu\n", held);
        for (size_t i = 0; i < COUNT / 50; i++) free(blocks[i]);
    }
    if (!strcmp(way, "thread")) {
        pthread_t other;
        pthread_create(&other, NULL, thread, NULL);
        pthread_join(other, NULL);
    }
    if (!strcmp(way, "child")) {
        pid_t child = fork();
        if (!child) { thread(NULL); exit(0); }
        waitpid(child, NULL, 0);
    }
    if (!strcmp(way, "freed and killed")) {
        thread(NULL);
        raise(SIGKILL);
    }
    if (!strcmp(way, "killed")) {
        fill(COUNT, SIZE);
        printf("%zu\n", held);
        work(600);
        raise(SIGKILL);
    }
    if (!strcmp(way, "limited")) {
        struct rlimit limit = {128 << 20, 128 << 20};
        setrlimit(RLIMIT_AS, &limit);
        execl(arguments[0], arguments[0], "failed", "already limited", NULL);
    }
    if (!strcmp(way, "failed")) {
        struct rlimit limit = {128 << 20, RLIM_INFINITY};
        if (count == 2) setrlimit(RLIMIT_AS, &limit);
        fill(COUNT, SIZE);
        size_t more = 0;
        void **list = NULL;
        for (void **block; (block = malloc(4096)); list = block, more += 4096) block[0] = list;
        printf("%zu\n", held + more);
        abort();
    }
    return 0;
}
