/* SPDX-License-Identifier: MIT */
/* The C API for C++17: handles that end themselves, errors as exceptions. Header only, and nothing
   but the C headers is needed.

       auto device = tile::device::open(tile_cuda_driver());
       auto module = tile::loaded_module::load(device, tile::image::read("add.cubin"));
       auto x = tile::buffer::create(device, n * sizeof(float));                  ... and y, out
       x.write(host.data(), n);
       module.kernel("add_kernel").launch({(n + 1023) / 1024}, x, y, out, n);
       out.read(host.data(), n);

   Handles can be moved and not copied; an empty one (made without a value, moved from, reset) holds
   nothing, and what needs its object is an error that says so. get() is the C object, for functions
   that are not here; put() takes one from a C function:

       tile::status status = tile_buffer_create(device.get(), bytes, buffer.put());
       if (status)
         std::puts(status.message());

   which is also the way without exceptions. Where they are turned off, members that would throw
   print the error and abort. tile::attempt(f) turns what f throws into a result that holds a value
   or an error. A status is true for an error, a result is true for a value:

       if (tile::status status = tile_device_synchronize(device.get())) ...    it failed
       if (auto buffer = tile::attempt(f)) ...                                 it worked

   Ownership and threads are those of the C API. What is in tile/compiler.h links libtile, all else
   libtile_runtime. */
#ifndef TILE_TILE_HPP
#define TILE_TILE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include "tile/compiler.h"
#include "tile/interop.h"

namespace tile {

/* --- Errors ----------------------------------------------------------------------------------- */

/* An owned outcome: true for an error, false for success. */
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

/* A value, or the error in its place: true for a value. */
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

/* Of what gives nothing: true when it worked. */
template <> class [[nodiscard]] result<void> {
public:
  result() = default;
  result(class error failure) : failure_(std::move(failure)) {}
  explicit operator bool() const noexcept {
    return !failure_;
  }
  const class error &error() const {
    return failure_.value();
  }

private:
  std::optional<class error> failure_;
};

#if defined(__cpp_exceptions)
/* auto buffer = tile::attempt([&] { return tile::buffer::create(device, bytes); }); */
template <class F> auto attempt(F &&function) -> result<std::decay_t<std::invoke_result_t<F>>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(function)();
      return {};
    } else {
      return std::forward<F>(function)();
    }
  } catch (const error &failure) {
    return failure;
  }
}
#endif

namespace detail {

inline void refuse(const std::string &message) {
  check(tile_status_make(TILE_INVALID_ARGUMENT, "tile.hpp", "%s", message.c_str()));
}
inline void refuse_empty(const std::string &what) {
  refuse(what + " is empty (never filled, moved from or reset)");
}

} // namespace detail

/* --- Handles ---------------------------------------------------------------------------------- */

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

protected:
  /* The object, which must be there: "the buffer". */
  T *held(const char *what) const {
    if (!object_)
      detail::refuse_empty(what);
    return object_;
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
    return *tile_device_get_properties(held("the device"));
  }
  const char *driver() const {
    return tile_driver_name(tile_device_get_driver(held("the device")));
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
    return static_cast<T *>(tile_pinned_data(held("the pinned memory")));
  }
  std::size_t bytes() const {
    return tile_pinned_bytes(held("the pinned memory"));
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
    return tile_buffer_address(held("the buffer"));
  }
  std::size_t bytes() const {
    return tile_buffer_bytes(held("the buffer"));
  }

  /* Copies `count` elements from and to the host; they wait. The offset is in bytes, as are sizes
     and offsets of all that is not typed. */
  template <class T>
  void write(const T *from, std::size_t count, std::size_t offset_in_bytes = 0,
             const stream &on = {}) const {
    check(tile_buffer_write(get(), offset_in_bytes, from, bytes_of<T>(count), on.get()));
  }
  template <class T>
  void read(T *to, std::size_t count, std::size_t offset_in_bytes = 0,
            const stream &on = {}) const {
    check(tile_buffer_read(get(), offset_in_bytes, to, bytes_of<T>(count), on.get()));
  }
  /* All of the pinned memory, to and from the buffer's start; they only start the copy. */
  void write_async(const pinned &from, const stream &on = {}) const {
    write_async(from, 0, from.bytes(), 0, on);
  }
  void read_async(const pinned &to, const stream &on = {}) const {
    read_async(to, 0, to.bytes(), 0, on);
  }
  /* A part of it: `bytes` from `pinned_offset`, to and from `offset` of the buffer. */
  void write_async(const pinned &from, std::size_t pinned_offset, std::size_t bytes,
                   std::size_t offset = 0, const stream &on = {}) const {
    check(tile_buffer_write_async(get(), offset, from.get(), pinned_offset, bytes, on.get()));
  }
  void read_async(const pinned &to, std::size_t pinned_offset, std::size_t bytes,
                  std::size_t offset = 0, const stream &on = {}) const {
    check(tile_buffer_read_async(get(), offset, to.get(), pinned_offset, bytes, on.get()));
  }
  void fill(std::uint8_t value, const stream &on = {}) const {
    check(tile_buffer_fill(get(), 0, value, bytes(), on.get()));
  }
  void copy_from(const buffer &from, const stream &on = {}) const {
    check(tile_buffer_copy(get(), 0, from.get(), 0, from.bytes(), on.get()));
  }

private:
  /* A number that is too large stays too large, and is refused. */
  template <class T> static std::size_t bytes_of(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>, "bytes are copied");
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(T);
    return count <= most ? count * sizeof(T) : std::numeric_limits<std::size_t>::max();
  }
};

/* --- Kernels ---------------------------------------------------------------------------------- */

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

namespace detail {

/* Objects of the runtime are no memory of the device: neither handles nor what they hold. */
template <class T, void (*End)(T *)> std::true_type is_handle(const handle<T, End> *);
std::false_type is_handle(...);
template <class T>
constexpr bool is_object =
    decltype(is_handle(static_cast<T *>(nullptr)))::value || std::is_same_v<T, tile_buffer> ||
    std::is_same_v<T, tile_device> || std::is_same_v<T, tile_stream> ||
    std::is_same_v<T, tile_event> || std::is_same_v<T, tile_module> ||
    std::is_same_v<T, tile_kernel> || std::is_same_v<T, tile_pinned> ||
    std::is_same_v<T, tile_image> || std::is_same_v<T, tile_argument>;

/* An integer, or an enumeration that C takes for one. */
template <class T> constexpr bool is_number() {
  if constexpr (std::is_enum_v<T>)
    return std::is_convertible_v<T, std::underlying_type_t<T>>;
  else
    return std::is_integral_v<T>;
}

template <class T> tile_argument integer(T value) {
  static_assert(sizeof(T) <= 8, "no kernel takes an integer of more than 64 bits");
  if constexpr (sizeof(T) == 1)
    return tile_argument_i8(static_cast<std::int8_t>(value));
  else if constexpr (sizeof(T) == 2)
    return tile_argument_i16(static_cast<std::int16_t>(value));
  else if constexpr (sizeof(T) == 4)
    return tile_argument_i32(static_cast<std::int32_t>(value));
  else
    return tile_argument_i64(static_cast<std::int64_t>(value));
}

template <class T> tile_argument address(T *value) {
  static_assert(!is_object<std::remove_cv_t<T>>,
                "this is the address of an object on the host; pass the tile::buffer itself, or "
                "tile_argument_buffer(b) of a tile_buffer *b");
  static_assert(!std::is_function_v<T>, "no kernel takes a function of the host");
  return tile_argument_address(reinterpret_cast<std::uintptr_t>(value));
}

} // namespace detail

/* Arguments by the type of the value: an integer has the kind of its size, a pointer is an address
   on the device (of cudaMalloc, or of memory that a buffer wraps), never one of the host. */
template <class T> tile_argument argument(const T &value) {
  if constexpr (std::is_same_v<T, tile_argument>)
    return value;
  else if constexpr (std::is_base_of_v<buffer, T>)
    return tile_argument_address(value.address());
  else if constexpr (std::is_same_v<T, std::nullptr_t>)
    return tile_argument_address(0);
  else if constexpr (std::is_pointer_v<T>)
    return detail::address(value);
  else if constexpr (std::is_same_v<T, bool>)
    return tile_argument_i1(value);
  else if constexpr (std::is_same_v<T, float>)
    return tile_argument_f32(value);
  else if constexpr (std::is_same_v<T, double>)
    return tile_argument_f64(value);
  else {
    static_assert(detail::is_number<T>(),
                  "no kernel takes this: half-precision values are tile_argument_f16(bits) and "
                  "tile_argument_bf16(bits), an enum class needs a static_cast, an array of the "
                  "host is written to a tile::buffer");
    return detail::integer(value);
  }
}

/* Programs along x, y and z. What does not fit is an error, not another number. */
struct grid {
  std::uint32_t size[3];
  template <class X = int, class Y = int, class Z = int>
  grid(X x, Y y = 1, Z z = 1) : size{number('x', x), number('y', y), number('z', z)} {}

private:
  template <class T> static std::uint32_t number(char axis, T value) {
    static_assert(detail::is_number<T>(), "a grid counts programs in integers; round up: "
                                          "(n + 1023) / 1024");
    /* or negative */
    if (static_cast<std::uint64_t>(value) > std::numeric_limits<std::uint32_t>::max())
      detail::refuse(std::string("grid ") + axis + " = " + std::to_string(+value) +
                     " is not in 1.." + (axis == 'x' ? "2147483647" : "65535"));
    return static_cast<std::uint32_t>(value);
  }
};

/* Borrowed from its module, which must not end before it; may be copied. One of a module that has
   no name, load(device, image).kernel(), owns it, together with its copies. */
class kernel {
public:
  kernel() = default;
  explicit kernel(tile_kernel *borrowed, std::shared_ptr<tile_module> owned = nullptr) noexcept
      : object_(borrowed), module_(std::move(owned)) {}
  tile_kernel *get() const noexcept {
    return object_;
  }
  const tile_kernel_info &info() const {
    if (!object_)
      detail::refuse_empty("the kernel");
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
    std::size_t index = 0;
    (check_argument(arguments, index++), ...);
    const tile_argument list[sizeof...(arguments) + 1] = {argument(arguments)..., tile_argument{}};
    check(tile_launch_with(object_, programs.size, on.get(), list, sizeof...(arguments), &options));
  }

private:
  template <class T> static void check_argument(const T &value, std::size_t index) {
    if constexpr (std::is_base_of_v<buffer, T>)
      if (!value)
        detail::refuse_empty("argument " + std::to_string(index) + ": the buffer");
  }
  tile_kernel *object_ = nullptr;
  std::shared_ptr<tile_module> module_; /* of a kernel that owns its module */
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
    return tile_module_kernel_count(held("the module"));
  }
  class kernel kernel(const char *name = nullptr) const & {
    return tile::kernel(find(name));
  }
  class kernel kernel(const char *name = nullptr) && {
    tile_kernel *found = find(name);
    return tile::kernel(found, std::shared_ptr<tile_module>(release(), tile_module_unload));
  }

private:
  tile_kernel *find(const char *name) const {
    tile_kernel *found = nullptr;
    check(tile_module_kernel(get(), name, &found));
    return found;
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

/* --- Compiling (libtile) ---------------------------------------------------------------------- */

class compiler : public handle<tile_compiler, tile_compiler_destroy> {
public:
  using handle::handle;
  static compiler create() {
    compiler made;
    check(tile_compiler_create(made.put()));
    return made;
  }
  /* Sends diagnostics to `handler`, which must not throw, in place of standard error; {} goes back
     to that. The first error is in tile::error::what() in any case. */
  void on_diagnostic(std::function<void(const tile_diagnostic &)> handler) {
    held("the compiler");
    handler_ = handler ? std::make_unique<diagnostic_handler>(std::move(handler)) : nullptr;
    tile_compiler_on_diagnostic(get(), handler_ ? hand_over : nullptr, handler_.get());
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
  using diagnostic_handler = std::function<void(const tile_diagnostic &)>;
  static void hand_over(const tile_diagnostic *diagnostic, void *handler) noexcept {
    (*static_cast<diagnostic_handler *>(handler))(*diagnostic);
  }
  template <class F> static std::string take(F &&fill) {
    tile_blob blob{};
    check(fill(&blob));
    std::string text(blob.data, blob.size);
    std::free(blob.data);
    return text;
  }
  std::unique_ptr<diagnostic_handler> handler_;
};

} // namespace tile
#endif
