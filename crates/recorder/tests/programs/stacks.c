// Allocates at the end of call chains of every kind and tells what backtrace() sees there.
#define _GNU_SOURCE
#include <alloca.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;
static pthread_mutex_t out = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void leaf(void) {
    void *frames[64];
    int count = backtrace(frames, 64);
    void *block = malloc(24 + sink);
    pthread_mutex_lock(&out);
    printf("%p", block);
    for (int i = 1; i < count; i++) printf(" %p", frames[i]);
    printf("\n");
    pthread_mutex_unlock(&out);
    sink += 0;
}
__attribute__((noinline)) static void plain(int depth, unsigned way);
__attribute__((noinline)) static void variable(int depth, unsigned way) {
    volatile char *room = alloca(16 + way % 700);
    room[0] = 1;
    plain(depth - 1, way / 3);
    sink += room[0] - 1;
}
__attribute__((noinline, optimize("no-omit-frame-pointer"))) static void framed(int depth, unsigned way) {
    volatile char room[48];
    room[0] = 1;
    plain(depth - 1, way / 3);
    sink += room[0] - 1;
}
__attribute__((noinline)) static void realigned(int depth, unsigned way) {
    volatile char room[64] __attribute__((aligned(64)));
    room[0] = 1;
    plain(depth - 1, way / 3);
    sink += room[0] - 1;
}
__attribute__((noinline)) static void plain(int depth, unsigned way) {
    volatile char room[40];
    room[0] = 1;
    if (depth <= 0) leaf();
    else if (way % 3 == 0) variable(depth, way);
    else if (way % 3 == 1) framed(depth, way);
    else if (way % 7 == 2) realigned(depth, way);
    else plain(depth - 1, way / 3);
    sink += room[0] - 1;
}
static int compare(const void *a, const void *b) {
    leaf();
    return *(const int *)a - *(const int *)b;
}
static void *thread(void *unused) {
    for (unsigned way = 0; way < 300; way++) plain(way % 9, way * 2654435761u);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    void *warm[2];
    int numbers[] = {3, 1, 2};
    backtrace(warm, 2);
    for (int round = 0; round < 3; round++)
        for (unsigned way = 0; way < 400; way++) plain(way % 10, way * 2246822519u);
    qsort(numbers, 3, sizeof(int), compare);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    fflush(stdout);
    exit(0);
}
