// Small helpers for the functions of the native door: reading arguments and making results.
#ifndef SQLITE_TANDEM_NAPI_ARGUMENTS_H_
#define SQLITE_TANDEM_NAPI_ARGUMENTS_H_

#include <node_api.h>

#include <cstdint>

#include "environment.h"

namespace tandem {

// The arguments of one call. Missing or wrong ones read as zero or null: the door's only caller is
// src/native/binding.ts. JavaScript thread.
class Arguments {
 public:
  Arguments(napi_env env, napi_callback_info info) : env_(env) {
    size_t count = kMost;
    void* data = nullptr;
    if (napi_get_cb_info(env, info, &count, values_, nullptr, &data) != napi_ok) count = 0;
    count_ = count < kMost ? count : kMost;
    environment_ = static_cast<Environment*>(data);
  }

  // The environment the function belongs to; null after its end.
  Environment* environment() const {
    return environment_ == nullptr || environment_->closing() ? nullptr : environment_;
  }

  // The database whose number is the first argument; null when it has ended.
  Member* member() const { return environment() == nullptr ? nullptr : environment_->find(number(0)); }

  napi_value at(size_t index) const { return index < count_ ? values_[index] : nullptr; }

  uint32_t number(size_t index) const {
    uint32_t value = 0;
    if (at(index) == nullptr || napi_get_value_uint32(env_, at(index), &value) != napi_ok) return 0;
    return value;
  }

  bool boolean(size_t index) const {
    bool value = false;
    return at(index) != nullptr && napi_get_value_bool(env_, at(index), &value) == napi_ok && value;
  }

  // The bytes of a typed array, borrowed until JavaScript runs again.
  uint8_t* bytes(size_t index, size_t* size) const {
    void* data = nullptr;
    size_t length = 0;
    napi_typedarray_type type = napi_uint8_array;
    *size = 0;
    if (at(index) == nullptr) return nullptr;
    if (napi_get_typedarray_info(env_, at(index), &type, &length, &data, nullptr, nullptr) != napi_ok) return nullptr;
    *size = type == napi_float64_array ? length * sizeof(double) : length;
    return static_cast<uint8_t*>(data);
  }

 private:
  static constexpr size_t kMost = 4;

  napi_env env_;
  napi_value values_[kMost] = {};
  size_t count_ = 0;
  Environment* environment_ = nullptr;
};

inline napi_value to_value(napi_env env, double number) {
  napi_value value = nullptr;
  return napi_create_double(env, number, &value) == napi_ok ? value : nullptr;
}

inline napi_value to_value(napi_env env, bool boolean) {
  napi_value value = nullptr;
  return napi_get_boolean(env, boolean, &value) == napi_ok ? value : nullptr;
}

inline napi_value to_value(napi_env env, const char* text) {
  napi_value value = nullptr;
  return napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value) == napi_ok ? value : nullptr;
}

}  // namespace tandem

#endif  // SQLITE_TANDEM_NAPI_ARGUMENTS_H_
