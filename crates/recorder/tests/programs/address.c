// Calls malloc by its address.
#include <stdio.h>
#include <stdlib.h>

void *(*volatile allocate)(size_t) = malloc;

int main(void) {
    void *block = allocate(1234);
    printf("%p\n", block);
    return 0;
}
