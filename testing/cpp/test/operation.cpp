#include <deadweight/operation.h>

int main() {
  for (int at = 0; at < 1000; at++) dw_operation();
  dw_operations(500);
}
