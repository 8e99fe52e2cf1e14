/* Marks the operations of a program, so that `deadweight run --churn` shows the bytes that each of them makes:
 *
 *   while (next(&request)) {
 *     answer(&request);
 *     dw_operation();
 *   }
 *
 * Without the preload recorder in the process both functions do nothing. Nothing needs to be linked, but -ldl where
 * the C library is glibc before 2.34. */
#ifndef DEADWEIGHT_OPERATION_H
#define DEADWEIGHT_OPERATION_H

#include <dlfcn.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*dw_counter)(uint64_t count);

/* Where nobody counts. */
static inline void dw_uncounted(uint64_t count) { (void)count; }

/* Marks so many operations. */
static inline void dw_operations(uint64_t count) {
  /* By name, because a weak reference is bound to nothing already when a program for a fixed address is linked. */
  static dw_counter counter;
  dw_counter found = __atomic_load_n(&counter, __ATOMIC_RELAXED);
  if (found == 0) {
    /* A null handle is the whole process, which <dlfcn.h> calls RTLD_DEFAULT where GNU's extensions are asked for. */
    void *symbol = dlsym((void *)0, "deadweight_operations");
    found = dw_uncounted;
    if (symbol != 0) __builtin_memcpy(&found, &symbol, sizeof found);
    __atomic_store_n(&counter, found, __ATOMIC_RELAXED);
  }
  found(count);
}

/* Marks one operation. */
static inline void dw_operation(void) { dw_operations(1); }

#ifdef __cplusplus
}
#endif

#endif
