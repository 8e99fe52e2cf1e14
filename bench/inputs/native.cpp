// A heap of many blocks of many types, for the recorder to dump at the end: `native RECORDS`.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

struct Address {
    std::string street;
    std::string city;
};

struct Record {
    std::uint64_t id;
    std::string name;
    std::unique_ptr<Address> address;
    std::vector<std::uint32_t> seen;
};

static std::mt19937_64 source(20261);

static std::string text(std::size_t length) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::string made;
    for (std::size_t i = 0; i < length; i++) made += letters[source() % 36];
    return made;
}

// Never destroyed: the recorder's dump is made as the program ends.
static auto& records = *new std::map<std::uint64_t, std::unique_ptr<Record>>;

int main(int, char** arguments) {
    const std::uint64_t count = std::strtoull(arguments[1], nullptr, 10);
    std::vector<std::string> cities;
    for (int i = 0; i < 300; i++) cities.push_back("city of " + text(24));
    for (std::uint64_t i = 0; i < count; i++) {
        auto record = std::make_unique<Record>();
        record->id = i;
        record->name = text(40 + source() % 1460);
        record->address = std::make_unique<Address>();
        record->address->street = text(30 + source() % 60);
        record->address->city = cities[source() % cities.size()];
        for (std::uint64_t n = source() % 64; n > 0; n--) record->seen.push_back(source());
        records.emplace(i, std::move(record));
    }
    return records.size() == count ? 0 : 1;
}
