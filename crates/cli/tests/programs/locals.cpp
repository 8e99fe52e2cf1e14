// All it holds is gone when `main` ends.
#include <cstdio>
#include <string>
#include <vector>

int main() {
  std::vector<std::string> kept;
  for (int i = 0; i < 600000; i++) {
    kept.push_back("a string that is longer than what fits inside " + std::to_string(i));
  }
  std::printf("%zu\n", kept.size());
}
