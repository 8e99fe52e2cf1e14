// The same waste at different moments, by the first argument: 12,000 shelves with few books on each.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct Shelf {
    // Of 32 places few are ever taken.
    char *books[32] = {};
    virtual ~Shelf() {
        for (char *book : books) free(book);
    }
};

// A function of its own in every build, so that the place is one.
[[gnu::noinline]] static std::vector<Shelf *> fill() {
    std::vector<Shelf *> shelves;
    shelves.reserve(12000);
    for (int i = 0; i < 12000; i++) {
        Shelf *shelf = new Shelf;
        for (int book = 0; book < 2 + i % 5; book++) {
            char *text = static_cast<char *>(malloc(40));
            snprintf(text, 40, "a book that is number %d of %d", book, i);
            shelf->books[(i * 7 + book * 11) % 32] = text;
        }
        shelves.push_back(shelf);
    }
    return shelves;
}

static void use(const std::vector<Shelf *> &shelves) {
    fprintf(stderr, "%zu shelves, the first at %p\n", shelves.size(), static_cast<void *>(shelves[0]));
}

static void give_back(std::vector<Shelf *> &shelves) {
    for (Shelf *shelf : shelves) delete shelf;
    shelves.clear();
}

static void work(int milliseconds) {
    const auto now = [] {
        timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        return time.tv_sec * 1000 + time.tv_nsec / 1000000;
    };
    for (const auto end = now() + milliseconds; now() < end;) {
        for (int i = 0; i < 1000; i++) {
            void *volatile brief = malloc(64);
            free(brief);
        }
    }
}

static void locally() {
    auto shelves = fill();
    use(shelves);
    give_back(shelves);
}

int main(int, char **arguments) {
    const char *way = arguments[1];
    const auto is = [&](const char *other) { return !strcmp(way, other); };
    if (is("local")) {
        locally();
    } else if (is("thread")) {
        std::thread(locally).join();
    } else if (is("child")) {
        if (const pid_t child = fork()) {
            waitpid(child, nullptr, 0);
        } else {
            locally();
            exit(0);
        }
    } else if (is("forked")) {
        // Two, of which one has the shelves.
        for (int child = 0; child < 2; child++) {
            if (fork()) continue;
            if (child == 0) locally();
            exit(0);
        }
        while (wait(nullptr) > 0) continue;
    } else if (is("caches")) {
        // Two that have the same shelves.
        for (int child = 0; child < 2; child++) {
            if (fork()) continue;
            locally();
            exit(0);
        }
        while (wait(nullptr) > 0) continue;
    } else if (is("server")) {
        auto shelves = fill();
        use(shelves);
        work(4500);
        fprintf(stderr, "the server ends\n");
        _exit(0);
    } else if (is("freed")) {
        auto shelves = fill();
        use(shelves);
        give_back(shelves);
        work(200);
    } else if (is("killed")) {
        auto shelves = fill();
        use(shelves);
        work(600);
        raise(SIGKILL);
    } else if (is("failed")) {
        auto shelves = fill();
        use(shelves);
        const rlimit limit{200 << 20, 200 << 20};
        setrlimit(RLIMIT_AS, &limit);
        // Nobody catches it.
        char *volatile more = new char[size_t{1} << 30];
        delete[] more;
    } else {
        // A server at rest, until it is told to end.
        auto shelves = fill();
        use(shelves);
        puts("ready");
        fflush(stdout);
        getchar();
        use(shelves);
        _exit(0);
    }
    return 0;
}
