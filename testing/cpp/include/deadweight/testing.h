/* Limits on what a function holds, for tests in C and C++. Any test framework: see README.md.
 *
 *   dw_moment before = dw_take();
 *   struct index *index = build();
 *   int result = dw_check(&before, "held = '1 MB'\nfindings = []\n", message, sizeof message);
 *
 * It needs the preload recorder in the process, and the `deadweight` binary in PATH or named by DEADWEIGHT. Linux. */
#ifndef DEADWEIGHT_TESTING_H
#define DEADWEIGHT_TESTING_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dw_result {
  DW_HELD = 0,         /* all limits hold */
  DW_BROKEN = 1,       /* a limit is broken; the message says which, and what to mend */
  DW_UNUSABLE = 2,     /* nothing could be checked; the message says why */
  DW_NOT_RECORDED = 77 /* the recorder is not loaded: skip the test (77 is what CTest and Automake take for that) */
};

/* A moment of the process: the path of its dump, empty when none was taken. */
typedef struct dw_moment {
  char path[PATH_MAX];
} dw_moment;

/* The dump of this process with the highest number in the recorder's directory; 0 when there is none. */
static inline long dw_newest(char *path, size_t size) {
  const char *directory = getenv("DEADWEIGHT_DIR");
  char process[32];
  long highest = 0;
  DIR *entries = directory == NULL ? NULL : opendir(directory);
  if (entries == NULL) return 0;
  (void)snprintf(process, sizeof process, "-%ld-", (long)getpid());
  for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    const char *at = entry->d_name[0] == '.' ? NULL : strstr(entry->d_name, process);
    char *end = NULL;
    if (at == NULL) continue;
    long number = strtol(at + strlen(process), &end, 10);
    if (number <= highest || strcmp(end, ".dwheap") != 0) continue;
    if ((size_t)snprintf(path, size, "%s/%s", directory, entry->d_name) >= size) continue;
    highest = number;
  }
  (void)closedir(entries);
  return highest;
}

/* Whether the recorder is loaded and takes SIGUSR2; without it the signal would end the process. */
static inline int dw_is_recorded(void) {
  struct sigaction now;
  const char *preloaded = getenv("LD_PRELOAD");
  if (preloaded == NULL || strstr(preloaded, "deadweight_recorder") == NULL) return 0;
  if (getenv("DEADWEIGHT_DIR") == NULL || sigaction(SIGUSR2, NULL, &now) != 0) return 0;
  return now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}

/* Takes a picture of what is alive now. Waits until it is written, a minute at most. */
static inline dw_moment dw_take(void) {
  dw_moment moment;
  char path[PATH_MAX];
  struct timespec pause = {0, 2000000};
  long before;
  memset(&moment, 0, sizeof moment);
  if (!dw_is_recorded()) return moment;
  before = dw_newest(path, sizeof path);
  (void)raise(SIGUSR2);
  for (int waits = 0; waits < 30000; waits++) {
    if (dw_newest(path, sizeof path) > before) {
      memcpy(moment.path, path, sizeof path);
      return moment;
    }
    (void)nanosleep(&pause, NULL);
  }
  return moment;
}

/* Runs the tool without the recorder. Its output goes into `message`; gives its exit code, or -1. */
static inline int dw_run(const char *config, const char *before, const char *after, char *message, size_t size) {
  int ends[2];
  int status = 0;
  size_t length = 0;
  const char *program = getenv("DEADWEIGHT");
  pid_t child;
  if (program == NULL || *program == '\0') program = "deadweight";
  if (pipe(ends) != 0) return -1;
  child = fork();
  if (child == 0) {
    (void)dup2(ends[1], 1);
    (void)dup2(ends[1], 2);
    (void)close(ends[0]);
    (void)close(ends[1]);
    (void)unsetenv("LD_PRELOAD");
    (void)unsetenv("DEADWEIGHT_DIR");
    (void)execlp(program, program, "--quiet", "check", "--config", config, "--since", before, after, (char *)NULL);
    (void)dprintf(2, "%s: %s (install it, or set DEADWEIGHT to where it is)\n", program, strerror(errno));
    _exit(127);
  }
  (void)close(ends[1]);
  while (child > 0) {
    char rest[512];
    int full = length + 1 >= size;
    ssize_t got = full ? read(ends[0], rest, sizeof rest) : read(ends[0], message + length, size - length - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (!full) length += (size_t)got;
  }
  (void)close(ends[0]);
  if (size > 0) message[length] = '\0';
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Checks what came since `before` against `budget`: the lines of a [budget] table in deadweight.toml, such as
 * "held = '1 MB'\nfindings = ['A01']\n". What to say goes into `message`. Both dumps are removed. */
static inline int dw_check(const dw_moment *before, const char *budget, char *message, size_t size) {
  dw_moment after;
  char config[] = "/tmp/deadweight-test-XXXXXX";
  int file, result = -1;
  if (size > 0) message[0] = '\0';
  if (!dw_is_recorded()) {
    (void)snprintf(message, size, "not recorded: start the tests with deadweight run --runtime native --when SIGUSR2");
    return DW_NOT_RECORDED;
  }
  after = dw_take();
  if (before->path[0] == '\0' || after.path[0] == '\0') {
    (void)snprintf(message, size, "the recorder wrote no dump into %s", getenv("DEADWEIGHT_DIR"));
    return DW_UNUSABLE;
  }
  file = mkstemp(config);
  if (file >= 0) {
    int written = dprintf(file, "[budget]\n%s\n", budget);
    (void)close(file);
    if (written > 0) result = dw_run(config, before->path, after.path, message, size);
    (void)unlink(config);
  }
  (void)unlink(before->path);
  (void)unlink(after.path);
  return result == 0 ? DW_HELD : result == 1 ? DW_BROKEN : DW_UNUSABLE;
}

#ifdef __cplusplus
}
#endif

#endif
