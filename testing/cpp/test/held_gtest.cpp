// As README.md shows it for GoogleTest.
#include <deadweight/testing.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

std::vector<std::unique_ptr<std::string>> names(std::size_t count) {
  std::vector<std::unique_ptr<std::string>> made;
  for (std::size_t at = 0; at < count; at++) made.push_back(std::make_unique<std::string>("a name of some length, " + std::to_string(at)));
  return made;
}

TEST(Names, StaySmall) {
  static char message[8192];
  const dw_moment before = dw_take();
  const auto kept = names(1000);
  const int result = dw_check(&before, "held = '200 kB'", message, sizeof message);
  if (result == DW_NOT_RECORDED) GTEST_SKIP() << message;
  EXPECT_EQ(result, DW_HELD) << message;
}

TEST(Names, BreakALimit) {
  static char message[8192];
  const dw_moment before = dw_take();
  const auto kept = names(1000);
  const int result = dw_check(&before, "held = '1 kB'", message, sizeof message);
  if (result == DW_NOT_RECORDED) GTEST_SKIP() << message;
  EXPECT_EQ(result, DW_BROKEN) << message;
  EXPECT_NE(std::string(message).find("held bytes"), std::string::npos) << message;
}

}  // namespace
