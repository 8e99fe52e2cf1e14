// As README.md shows it for Catch2, of version 2 and 3.
#include <deadweight/testing.h>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
#include <vector>

TEST_CASE("a table stays small") {
  static char message[8192];
  const dw_moment before = dw_take();
  const std::vector<long> table(10'000, 7);
  const int result = dw_check(&before, "held = '100 kB'", message, sizeof message);
  if (result == DW_NOT_RECORDED) {
    WARN(message);
    return;
  }
  INFO(message);
  CHECK(result == DW_HELD);
  CHECK(table.back() == 7);
}
