// Threads that first allocate inside of the C library, which holds the thread's lock there: Rust's threads all do.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static __attribute__((noinline)) void* keep(size_t bytes) {
    void* volatile block = malloc(bytes);
    return block;
}

static void* run(void* number) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        abort();
    }
    pthread_attr_destroy(&attributes);
    void* volatile block = keep(1000 + (size_t)number);
    return block;
}

int main(void) {
    // A hang ends.
    alarm(60);
    for (size_t i = 0; i < 8; ++i) {
        pthread_t thread;
        void* block = NULL;
        // The last two run on stacks that the program gave.
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        static _Alignas(4096) char stacks[2][1 << 18];
        if (i >= 6) {
            pthread_attr_setstack(&attributes, stacks[i - 6], sizeof stacks[0]);
        }
        pthread_create(&thread, &attributes, run, (void*)i);
        pthread_join(thread, &block);
        printf("%p\n", block);
    }
    return 0;
}
