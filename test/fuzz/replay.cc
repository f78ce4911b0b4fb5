// Runs a fuzz target over kept inputs, without a fuzzer: the arguments are files and folders of files.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "support.h"

namespace {

// In the order of their names, so that every run does the same.
std::vector<std::filesystem::path> inputs_of(int count, char** arguments) {
  std::vector<std::filesystem::path> inputs;
  for (int i = 1; i < count; ++i) {
    if (std::filesystem::is_directory(arguments[i])) {
      for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) inputs.push_back(entry.path());
    } else {
      inputs.emplace_back(arguments[i]);
    }
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

}  // namespace

int main(int count, char** arguments) {
  LLVMFuzzerInitialize(&count, &arguments);
  const std::vector<std::filesystem::path> inputs = inputs_of(count, arguments);
  for (const std::filesystem::path& input : inputs) {
    std::ifstream file(input, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    // Before it runs, so that the last line names the input that ended the program.
    std::printf("%s\n", input.filename().c_str());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%zu inputs survived\n", inputs.size());
  return inputs.empty() ? 1 : 0;
}
