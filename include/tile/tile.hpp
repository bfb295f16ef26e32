/* SPDX-License-Identifier: MIT */
/* The C API for C++17: handles that end themselves, errors as exceptions. Header only, and nothing
   but the C headers is needed.

       auto device = tile::device::open(tile_cuda_driver());
       auto module = tile::loaded_module::load(device, tile::image::read("add.cubin"));
       auto x = tile::buffer::create(device, n * sizeof(float));                  ... and y, out
       x.write(host.data(), n);
       module.kernel("add_kernel").launch({(n + 1023) / 1024}, x, y, out, n);
       out.read(host.data(), n);

   Handles can be moved and not copied; an empty one holds nothing. get() is the C object, for
   functions that are not here; put() takes one from a C function:

       tile::status status = tile_buffer_create(device.get(), bytes, buffer.put());
       if (status)
         std::puts(status.message());

   which is also the way without exceptions. Where they are turned off, members that would throw
   print the error and abort. tile::attempt(f) turns what f throws into a result that holds a value
   or an error.

   Ownership and threads are those of the C API. What is in tile/compiler.h links libtile, all else
   libtile_runtime. */
#ifndef TILE_TILE_HPP
#define TILE_TILE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include "tile/compiler.h"
#include "tile/interop.h"

namespace tile {

/* --- Errors ---------------------------------------------------------------------------------- */

/* An owned outcome: false for success. */
class [[nodiscard]] status {
public:
  status() = default;
  status(tile_status owned) noexcept : object_(owned) {}
  status(status &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  status &operator=(status &&other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~status() {
    tile_status_free(object_);
  }

  explicit operator bool() const noexcept {
    return object_ != nullptr;
  }
  tile_code code() const noexcept {
    return tile_status_code(object_);
  }
  const char *message() const noexcept {
    return tile_status_message(object_);
  }
  const char *origin() const noexcept {
    return tile_status_origin(object_);
  }

private:
  tile_status object_ = nullptr;
};

/* What members throw. */
class error : public std::runtime_error {
public:
  error(tile_code code, const char *message) : std::runtime_error(message), code_(code) {}
  tile_code code() const noexcept {
    return code_;
  }

private:
  tile_code code_;
};

/* Throws what is not a success. */
inline void check(status outcome) {
  if (!outcome)
    return;
#if defined(__cpp_exceptions)
  throw error(outcome.code(), outcome.message());
#else
  std::fprintf(stderr, "tile: %s: %s\n", tile_code_name(outcome.code()), outcome.message());
  std::abort();
#endif
}

/* A value, or the error in its place. */
template <class T> class [[nodiscard]] result {
public:
  result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  result(class error failure) : content_(std::in_place_index<1>, std::move(failure)) {}
  explicit operator bool() const noexcept {
    return content_.index() == 0;
  }
  T &operator*() {
    return std::get<0>(content_);
  }
  T *operator->() {
    return &std::get<0>(content_);
  }
  const class error &error() const {
    return std::get<1>(content_);
  }

private:
  std::variant<T, class error> content_;
};

#if defined(__cpp_exceptions)
/* auto buffer = tile::attempt([&] { return tile::buffer::create(device, bytes); }); */
template <class F> auto attempt(F &&function) -> result<std::invoke_result_t<F>> {
  try {
    return std::forward<F>(function)();
  } catch (const error &failure) {
    return failure;
  }
}
#endif

/* --- Handles --------------------------------------------------------------------------------- */

template <class T, void (*End)(T *)> class handle {
public:
  handle() = default;
  explicit handle(T *owned) noexcept : object_(owned) {}
  handle(handle &&other) noexcept : object_(other.release()) {}
  handle &operator=(handle &&other) noexcept {
    reset(other.release());
    return *this;
  }
  ~handle() {
    reset();
  }

  T *get() const noexcept {
    return object_;
  }
  explicit operator bool() const noexcept {
    return object_ != nullptr;
  }
  [[nodiscard]] T *release() noexcept {
    return std::exchange(object_, nullptr);
  }
  void reset(T *owned = nullptr) noexcept {
    T *before = std::exchange(object_, owned);
    if (before != owned)
      End(before);
  }
  /* For a C function's out parameter; what was here is ended. */
  T **put() noexcept {
    reset();
    return &object_;
  }

private:
  T *object_ = nullptr;
};

class device : public handle<tile_device, tile_device_close> {
public:
  using handle::handle;
  static device open(const tile_driver *driver, int index = 0) {
    device made;
    check(tile_device_open(driver, index, made.put()));
    return made;
  }
  static device open_context(const tile_driver *driver, void *context = nullptr) {
    device made;
    check(tile_device_open_context(driver, context, made.put()));
    return made;
  }
  const tile_device_properties &properties() const {
    return *tile_device_get_properties(get());
  }
  const char *driver() const {
    return tile_driver_name(tile_device_get_driver(get()));
  }
  std::uint64_t free_memory() const {
    std::uint64_t bytes = 0;
    check(tile_device_free_memory(get(), &bytes));
    return bytes;
  }
  void synchronize() const {
    check(tile_device_synchronize(get()));
  }
  void *native() const {
    void *context = nullptr;
    check(tile_device_native(get(), &context));
    return context;
  }
};

class event : public handle<tile_event, tile_event_destroy> {
public:
  using handle::handle;
  static event create(const device &on) {
    event made;
    check(tile_event_create(on.get(), made.put()));
    return made;
  }
  void synchronize() const {
    check(tile_event_synchronize(get()));
  }
  void *native() const {
    void *own = nullptr;
    check(tile_event_native(get(), &own));
    return own;
  }
  /* Milliseconds from `start` to this one. */
  double since(const event &start) const {
    double milliseconds = 0;
    check(tile_event_elapsed(start.get(), get(), &milliseconds));
    return milliseconds;
  }
};

/* An empty one is the device's default stream, as an argument. */
class stream : public handle<tile_stream, tile_stream_destroy> {
public:
  using handle::handle;
  static stream create(const device &on) {
    stream made;
    check(tile_stream_create(on.get(), made.put()));
    return made;
  }
  /* A CUstream or cudaStream_t, borrowed. */
  static stream wrap(const device &on, void *native) {
    stream made;
    check(tile_stream_wrap(on.get(), native, made.put()));
    return made;
  }
  void synchronize() const {
    check(tile_stream_synchronize(get()));
  }
  void wait(const event &happened) const {
    check(tile_stream_wait(get(), happened.get()));
  }
  void record(const event &happens) const {
    check(tile_event_record(happens.get(), get()));
  }
  void *native() const {
    void *own = nullptr;
    check(tile_stream_native(get(), &own));
    return own;
  }
};

class pinned : public handle<tile_pinned, tile_pinned_destroy> {
public:
  using handle::handle;
  static pinned create(const device &on, std::size_t bytes) {
    pinned made;
    check(tile_pinned_create(on.get(), bytes, made.put()));
    return made;
  }
  static pinned register_memory(const device &on, void *memory, std::size_t bytes) {
    pinned made;
    check(tile_pinned_register(on.get(), memory, bytes, made.put()));
    return made;
  }
  static pinned wrap(const device &on, void *memory, std::size_t bytes) {
    pinned made;
    check(tile_pinned_wrap(on.get(), memory, bytes, made.put()));
    return made;
  }
  template <class T = void> T *data() const {
    return static_cast<T *>(tile_pinned_data(get()));
  }
  std::size_t bytes() const {
    return tile_pinned_bytes(get());
  }
};

class buffer : public handle<tile_buffer, tile_buffer_destroy> {
public:
  using handle::handle;
  static buffer create(const device &on, std::size_t bytes) {
    buffer made;
    check(tile_buffer_create(on.get(), bytes, made.put()));
    return made;
  }
  /* Memory that exists, borrowed: a pointer of cudaMalloc, or on the emulator one of the host. */
  static buffer wrap(const device &on, const void *memory, std::size_t bytes) {
    buffer made;
    check(tile_buffer_wrap(on.get(), reinterpret_cast<std::uintptr_t>(memory), bytes, made.put()));
    return made;
  }
  std::uint64_t address() const {
    return tile_buffer_address(get());
  }
  std::size_t bytes() const {
    return tile_buffer_bytes(get());
  }

  /* Copies `count` elements from and to the host; they wait. The offset is in bytes. */
  template <class T>
  void write(const T *from, std::size_t count, std::size_t offset = 0,
             const stream &on = {}) const {
    static_assert(std::is_trivially_copyable_v<T>, "bytes are copied");
    check(tile_buffer_write(get(), offset, from, count * sizeof(T), on.get()));
  }
  template <class T>
  void read(T *to, std::size_t count, std::size_t offset = 0, const stream &on = {}) const {
    static_assert(std::is_trivially_copyable_v<T>, "bytes are copied");
    check(tile_buffer_read(get(), offset, to, count * sizeof(T), on.get()));
  }
  /* All of the pinned memory, to and from the buffer's start; they only start the copy. */
  void write_async(const pinned &from, const stream &on) const {
    check(tile_buffer_write_async(get(), 0, from.get(), 0, from.bytes(), on.get()));
  }
  void read_async(const pinned &to, const stream &on) const {
    check(tile_buffer_read_async(get(), 0, to.get(), 0, to.bytes(), on.get()));
  }
  void fill(std::uint8_t value, const stream &on = {}) const {
    check(tile_buffer_fill(get(), 0, value, bytes(), on.get()));
  }
  void copy_from(const buffer &from, const stream &on = {}) const {
    check(tile_buffer_copy(get(), 0, from.get(), 0, from.bytes(), on.get()));
  }
};

/* --- Kernels --------------------------------------------------------------------------------- */

class image : public handle<tile_image, tile_image_free> {
public:
  using handle::handle;
  static image read(const std::string &path) {
    image made;
    check(tile_image_read(path.c_str(), made.put()));
    return made;
  }
  static image parse(const std::string &name, std::string_view bytes) {
    image made;
    check(tile_image_parse(name.c_str(), bytes.data(), bytes.size(), made.put()));
    return made;
  }
  void write(const std::string &path) const {
    check(tile_image_write(get(), path.c_str()));
  }
};

/* Arguments by the type of the value: an integer has the kind of its size, a pointer is an address
   on the device. */
template <class T> tile_argument argument(const T &value) {
  if constexpr (std::is_same_v<T, tile_argument>)
    return value;
  else if constexpr (std::is_base_of_v<buffer, T>)
    return tile_argument_buffer(value.get());
  else if constexpr (std::is_same_v<T, std::nullptr_t>)
    return tile_argument_address(0);
  else if constexpr (std::is_pointer_v<T>)
    return tile_argument_address(reinterpret_cast<std::uintptr_t>(value));
  else if constexpr (std::is_same_v<T, bool>)
    return tile_argument_i1(value);
  else if constexpr (std::is_same_v<T, float>)
    return tile_argument_f32(value);
  else if constexpr (std::is_same_v<T, double>)
    return tile_argument_f64(value);
  else {
    static_assert(std::is_integral_v<T>,
                  "no kernel takes this; half-precision values are tile_argument_f16(bits)");
    if constexpr (sizeof(T) == 1)
      return tile_argument_i8(static_cast<std::int8_t>(value));
    else if constexpr (sizeof(T) == 2)
      return tile_argument_i16(static_cast<std::int16_t>(value));
    else if constexpr (sizeof(T) == 4)
      return tile_argument_i32(static_cast<std::int32_t>(value));
    else
      return tile_argument_i64(static_cast<std::int64_t>(value));
  }
}

/* Programs along x, y and z. */
struct grid {
  std::uint32_t size[3];
  template <class X = int, class Y = int, class Z = int>
  grid(X x, Y y = 1, Z z = 1)
      : size{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
             static_cast<std::uint32_t>(z)} {}
};

/* Borrowed from its module; may be copied. */
class kernel {
public:
  kernel() = default;
  explicit kernel(tile_kernel *borrowed) noexcept : object_(borrowed) {}
  tile_kernel *get() const noexcept {
    return object_;
  }
  const tile_kernel_info &info() const {
    return *tile_kernel_get_info(object_);
  }
  tile_kernel_resources resources(const tile_kernel_version *version = nullptr) const {
    tile_kernel_resources taken;
    check(tile_kernel_get_resources(object_, version, &taken));
    return taken;
  }

  /* On the default stream, on a stream, and with attributes. */
  template <class... Arguments>
  void launch(const grid &programs, const Arguments &...arguments) const {
    launch_on(stream(), programs, arguments...);
  }
  template <class... Arguments>
  void launch_on(const stream &on, const grid &programs, const Arguments &...arguments) const {
    launch_with(tile_launch_options{}, on, programs, arguments...);
  }
  template <class... Arguments>
  void launch_with(const tile_launch_options &options, const stream &on, const grid &programs,
                   const Arguments &...arguments) const {
    const tile_argument list[sizeof...(arguments) + 1] = {argument(arguments)..., tile_argument{}};
    check(tile_launch_with(object_, programs.size, on.get(), list, sizeof...(arguments), &options));
  }

private:
  tile_kernel *object_ = nullptr;
};

class loaded_module : public handle<tile_module, tile_module_unload> {
public:
  using handle::handle;
  static loaded_module load(const device &on, const image &from) {
    loaded_module made;
    check(tile_module_load(on.get(), from.get(), made.put()));
    return made;
  }
  std::size_t size() const {
    return tile_module_kernel_count(get());
  }
  class kernel kernel(const char *name = nullptr) const {
    tile_kernel *found = nullptr;
    check(tile_module_kernel(get(), name, &found));
    return tile::kernel(found);
  }
};

/* Takes its hooks away when it ends. Never end one inside of a hook: they cannot be taken away
   there. */
inline void end_hook(tile_hook *hook) {
  tile_status_free(tile_hooks_remove(hook));
}
class hook : public handle<tile_hook, end_hook> {
public:
  using handle::handle;
  static hook add(const tile_hooks &hooks) {
    hook made;
    check(tile_hooks_add(&hooks, made.put()));
    return made;
  }
};

/* --- Compiling (libtile) --------------------------------------------------------------------- */

class compiler : public handle<tile_compiler, tile_compiler_destroy> {
public:
  using handle::handle;
  static compiler create() {
    compiler made;
    check(tile_compiler_create(made.put()));
    return made;
  }
  /* A kernel file in the Triton language -> a module as text. */
  std::string import_triton(const std::string &name, std::string_view text,
                            const tile_import_options &options) const {
    return take([&](tile_blob *out) {
      return tile_import_triton(get(), name.c_str(), text.data(), text.size(), &options, out);
    });
  }
  std::string compile(const std::string &name, std::string_view text, tile_output output,
                      const tile_compile_options &options = tile_compile_options_default()) const {
    return take([&](tile_blob *out) {
      return tile_compile(get(), name.c_str(), text.data(), text.size(), &options, output, out);
    });
  }
  loaded_module
  compile_for(const device &on, const std::string &name, std::string_view text,
              const tile_compile_options &options = tile_compile_options_default()) const {
    loaded_module made;
    check(tile_compile_for_device(get(), name.c_str(), text.data(), text.size(), &options, on.get(),
                                  made.put()));
    return made;
  }

private:
  template <class F> static std::string take(F &&fill) {
    tile_blob blob{};
    check(fill(&blob));
    std::string text(blob.data, blob.size);
    std::free(blob.data);
    return text;
  }
};

} // namespace tile
#endif
