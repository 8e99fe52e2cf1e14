// The ways of a process, by its first argument.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static void handler(int signal) { (void)signal; handled = 1; }
static void *filled(size_t size, int byte) { return memset(malloc(size), byte, size); }

int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "return";
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%p\n", filled(5555, 1));
    if (!strcmp(way, "fork")) {
        pid_t child = fork();
        int status;
        if (!child) { printf("%p\n", filled(6666, 2)); exit(3); }
        if (wait(&status) != child || WEXITSTATUS(status) != 3) return 1;
        if (!(child = fork())) _exit(4);
        if (wait(&status) != child || WEXITSTATUS(status) != 4) return 2;
        return wait(&status) == -1 && errno == ECHILD ? 0 : 5;
    }
    if (!strcmp(way, "exec")) { execl(arguments[0], arguments[0], "return", NULL); return 1; }
    if (!strcmp(way, "kill")) { for (int i = 0; i < 100000; i++) malloc(20); raise(SIGKILL); }
    if (!strcmp(way, "abort")) abort();
    if (!strcmp(way, "_exit")) _exit(9);
    if (!strcmp(way, "signal")) {
        int status;
        raise(SIGUSR2);
        filled(7777, 3);
        raise(SIGUSR2);
        return wait(&status) == -1 && errno == ECHILD ? 0 : 5;
    }
    if (!strcmp(way, "handler")) { signal(SIGUSR2, handler); raise(SIGUSR2); return handled ? 0 : 1; }
    if (!strcmp(way, "many")) { for (int i = 0; i < 200000; i++) if (!malloc(40)) return 1; return 0; }
    if (!strcmp(way, "grow")) { for (int i = 0; i < 3000; i++) filled(10000, 4); return 0; }
    if (!strcmp(way, "contents")) {
        char *secret = filled(4096, 0), *same = filled(4096, 0), *large = malloc(64 << 20);
        strcpy(secret + 1000, "a very well kept secret");
        memcpy(same, secret, 4096);
        large[5 << 20] = 7;
        printf("%p %p %p\n", secret, same, large);
        exit(0);
    }
    if (!strcmp(way, "churn")) {
        void *old[100];
        for (int i = 0; i < 100; i++) old[i] = filled(1000, 5);
        for (int i = 0; i < 100; i++) free(old[i]);
        char *fresh = malloc(1000);
        fresh[0] = 6;
        char *grown = realloc(filled(100, 7), 900);
        printf("%p %p\n", fresh, grown);
        exit(0);
    }
    return 0;
}
