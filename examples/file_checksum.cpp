// The checksum of a file (CRC-32, as in zip and gzip): its blocks are read and summed in parallel.
//
//     example_file_checksum FILE...
//
// The checksum of the whole follows from the checksums and sizes of its parts, in their order. That
// is a reduction whose operation is not commutative. Without arguments the program checks known
// checksums.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "filch/algorithm/reduce.hpp"

namespace {

constexpr std::uint32_t polynomial = 0xEDB88320u;

/// The result of eight steps of the division, for every byte.
constexpr std::array<std::uint32_t, 256> remainders = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t r = byte;
    for (int bit = 0; bit < 8; ++bit) r = r >> 1 ^ (r & 1 ? polynomial : 0);
    table[byte] = r;
  }
  return table;
}();

/// Returns the product of two polynomials, modulo that of the checksum. The highest bit is x^0.
std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if (a & 0x80000000u) product ^= b;
    b = b >> 1 ^ (b & 1 ? polynomial : 0);
  }
  return product;
}

struct checksum {
  std::uint32_t crc = 0;
  std::uint64_t size = 0;

  static checksum of(std::span<const char> bytes) {
    std::uint32_t r = ~0u;
    for (const char c : bytes) r = r >> 8 ^ remainders[(r ^ static_cast<unsigned char>(c)) & 255];
    return {~r, bytes.size()};
  }
  /// Returns the checksum of both, one after the other: the first is shifted by the size of the
  /// second.
  friend checksum operator+(checksum a, checksum b) {
    std::uint32_t shift = 0x80000000u;   // x^0
    std::uint32_t square = 0x00800000u;  // x^8, x^16, x^32 ...
    for (std::uint64_t n = b.size; n != 0; n >>= 1) {
      if (n & 1) shift = multiply(square, shift);
      square = multiply(square, square);
    }
    return {multiply(shift, a.crc) ^ b.crc, a.size + b.size};
  }
};

/// A part of a file. A block is read when it is needed: at most one for every worker is in memory.
struct block {
  std::uint64_t first;
  std::uint64_t size;
};

checksum of_block(const std::filesystem::path& path, block b) {
  std::vector<char> bytes(b.size);
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(b.first));
  file.read(bytes.data(), static_cast<std::streamsize>(b.size));
  if (!file) throw std::runtime_error("cannot read '" + path.string() + "'");
  return checksum::of(bytes);
}

checksum of_file(const std::filesystem::path& path, std::uint64_t block_size) {
  const std::uint64_t size = std::filesystem::file_size(path);
  std::vector<block> blocks;
  for (std::uint64_t first = 0; first < size; first += block_size)
    blocks.push_back({first, std::min(block_size, size - first)});
  return filch::transform_reduce(blocks, checksum{}, std::plus{},
                                 [&](block b) { return of_block(path, b); });
}

/// Checks the checksums of an empty input, of the nine digits (every description of CRC-32 has it),
/// and of a file in blocks of many sizes.
int check() {
  const std::string digits = "123456789";
  bool right = checksum{}.crc == 0 && checksum::of(digits).crc == 0xCBF43926u;

  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("filch_file_checksum_" + std::to_string(reinterpret_cast<std::uintptr_t>(&text)));
  std::ofstream(path, std::ios::binary) << text;
  for (const std::uint64_t block_size : {4096u, 65'537u, 1u << 20})
    right = right && of_file(path, block_size).crc == checksum::of(text).crc;
  std::filesystem::remove(path);
  std::printf("the checksums are %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 1) return check();
  for (int i = 1; i < argc; ++i) {
    const checksum sum = of_file(argv[i], 1u << 20);
    std::printf("%08x %12llu  %s\n", static_cast<unsigned>(sum.crc),
                static_cast<unsigned long long>(sum.size), argv[i]);
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "file_checksum: %s\n", e.what());
  return 1;
}
