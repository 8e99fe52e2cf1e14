// Members of a club, and with -DCACHE a second layer that keeps each of them in serialised form as well.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>

#include <malloc.h>

struct Member {
    std::uint64_t id = 0;
    std::string about;
    std::string address;
    std::shared_ptr<Member> friend_of;
};

static std::mt19937_64 random_bits(1);

__attribute__((noinline)) std::string text(unsigned length) {
    static const char letters[] = "etaoinshrdlucmfw ypvbgkjqxz  eeettaa.";
    std::string made;
    for (unsigned i = 0; i < length; ++i) {
        made += letters[random_bits() % (sizeof letters - 1)];
    }
    made.shrink_to_fit();
    return made;
}

template <class T>
void put(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

__attribute__((noinline)) std::string serialised(const Member& member) {
    std::string made;
    made.reserve(12 + member.about.size() + member.address.size());
    put(made, member.id);
    put(made, static_cast<std::uint16_t>(member.about.size()));
    made += member.about;
    put(made, static_cast<std::uint16_t>(member.address.size()));
    made += member.address;
    return made;
}

int main() {
    static std::map<std::uint64_t, std::shared_ptr<Member>> members;
    static std::unordered_map<std::uint64_t, std::string> cache;
    std::shared_ptr<Member> last;
    for (std::uint64_t id = 1; id <= 5000; ++id) {
        auto member = std::make_shared<Member>();
        member->id = id * 1'000'003;
        member->about = text(80 + static_cast<unsigned>(random_bits() % 200));
        member->address = text(40 + static_cast<unsigned>(random_bits() % 60));
        member->friend_of = id % 7 == 0 ? nullptr : last;
        last = member;
        members.emplace(member->id, member);
#ifdef CACHE
        cache.emplace(member->id, serialised(*member));
#endif
    }
    std::printf("%zu %zu\n", members.size(), mallinfo2().uordblks);
    std::exit(0);
}
