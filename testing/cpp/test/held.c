/* A wasteful and a healthy function, each against the same limits. Printed is what a test would print. */
#include <deadweight/testing.h>

enum { RECORDS = 4000, ROOM = 1024 };

static void *kept[RECORDS];

static void fill(size_t room) {
  for (size_t at = 0; at < RECORDS; at++) {
    kept[at] = calloc(1, room);
    if (kept[at] == NULL) abort();
    for (size_t word = 0; word < 64; word += 8) {
      size_t value = (at + 1) * 2654435761u * (word + 1);
      memcpy((char *)kept[at] + word, &value, sizeof value);
    }
  }
}

static int measure(const char *name, size_t room, const char *budget) {
  static char message[8192];
  dw_moment before = dw_take();
  fill(room);
  int result = dw_check(&before, budget, message, sizeof message);
  printf("%s: %d\n%s\n", name, result, message);
  for (size_t at = 0; at < RECORDS; at++) free(kept[at]);
  return result;
}

int main(void) {
  if (!dw_is_recorded()) {
    static char message[256];
    dw_moment before = dw_take();
    int result = dw_check(&before, "held = 0", message, sizeof message);
    puts(message);
    return result;
  }
  int healthy = measure("healthy", 64, "held = '400 kB'");
  int wasteful = measure("wasteful", ROOM, "held = '400 kB'");
  int unusable = measure("unusable", 64, "hold = 1");
  return healthy == DW_HELD && wasteful == DW_BROKEN && unusable == DW_UNUSABLE ? 0 : 1;
}
