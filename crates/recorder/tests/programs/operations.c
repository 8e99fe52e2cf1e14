/* Makes a block for each operation, if an argument says so by the Boehm collector, and marks them as programs do. */
#include "../../../../testing/cpp/include/deadweight/operation.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *GC_malloc(size_t);
extern void GC_init(void);

static void *others(void *count) {
  for (long left = *(long *)count; left > 0; left--) dw_operation();
  return NULL;
}

int main(int count, char **arguments) {
  long single = count > 1 ? atol(arguments[1]) : 0;
  GC_init();
  for (long at = 0; at < single; at++) {
    if (GC_malloc(100) == NULL) return 1;
    dw_operation();
  }
  if (count > 2) dw_operations((uint64_t)atol(arguments[2]));
  if (count > 3) {
    long each = atol(arguments[3]);
    pthread_t threads[4];
    for (int at = 0; at < 4; at++) pthread_create(&threads[at], NULL, others, &each);
    for (int at = 0; at < 4; at++) pthread_join(threads[at], NULL);
  }
  puts("done");
  return 0;
}
