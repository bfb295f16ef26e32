/* SPDX-License-Identifier: MIT */
/* in_process.c in C++: compiles a kernel for the device at hand, runs it, compares with the host's
   result. cpp softmax.py */
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <tile/tile.hpp>
#include <vector>

namespace {

constexpr int rows = 100, width = 781;

/* A GPU, or the emulator where there is none. */
tile::device open_device() {
  auto gpu = tile::attempt([] { return tile::device::open(tile_cuda_driver()); });
  return gpu ? std::move(*gpu) : tile::device::open(tile_emulator_driver());
}

tile::loaded_module compile(const tile::device &device, const std::string &text) {
  tile_import_options import{};
  import.kernel = "softmax_kernel";
  import.signature = "*fp32:16, *fp32:16, i32, 1024";
  auto compiler = tile::compiler::create();
  return compiler.compile_for(device, "softmax.py",
                              compiler.import_triton("softmax.py", text, import));
}

double worst_error(const std::vector<float> &in, const std::vector<float> &out) {
  double worst = 0;
  for (std::size_t row = 0; row < rows; row++) {
    double sum = 0;
    for (std::size_t i = row * width; i < (row + 1) * width; i++)
      sum += std::exp(double(in[i]));
    for (std::size_t i = row * width; i < (row + 1) * width; i++)
      worst = std::fmax(worst, std::fabs(out[i] - std::exp(double(in[i])) / sum));
  }
  return worst;
}

int run(const std::string &text) {
  std::vector<float> in(rows * width), out(in.size());
  for (std::size_t i = 0; i < in.size(); i++)
    in[i] = float(i * 7919 % 1000) / 250 - 2;
  auto device = open_device();
  auto module = compile(device, text);
  auto stream = tile::stream::create(device);
  auto from = tile::buffer::create(device, in.size() * sizeof(float));
  auto to = tile::buffer::create(device, from.bytes());
  from.write(in.data(), in.size(), 0, stream);
  module.kernel("softmax_kernel").launch_on(stream, rows, to, from, width);
  to.read(out.data(), out.size(), 0, stream);
  std::printf("%s: largest error %.1e\n", device.properties().name, worst_error(in, out));
  return worst_error(in, out) < 1e-6 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "softmax.py");
  try {
    return run({std::istreambuf_iterator<char>(file), {}});
  } catch (const tile::error &error) {
    std::fprintf(stderr, "%s: %s\n", tile_code_name(error.code()), error.what());
    return 1;
  }
}
