#include "graphsurgeon/ir/object.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/os/memory/pages.h"
#include "graphsurgeon/ir/payloads/source.h"

#if defined(__SANITIZE_ADDRESS__)
#define GS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GS_ASAN 1
#endif
#endif
#ifdef GS_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

namespace graphsurgeon {

namespace {

// Slabs double, so that a small graph stays small and a big one needs few of them.
constexpr size_t kFirstSlab = 16 * 1024;
constexpr size_t kLargestSlab = 4 * 1024 * 1024;
constexpr size_t kHugePage = 2 * 1024 * 1024;

}  // namespace

struct Store::Impl {
  struct Slab {
    Slab(std::byte* m, size_t n) : memory(m), bytes(n) {}
    Slab(Slab&& other) noexcept
        : memory(std::exchange(other.memory, nullptr)), bytes(other.bytes) {}
    ~Slab() { std::free(memory); }
    std::byte* memory;
    size_t bytes;
  };
  std::vector<Slab> slabs;
  size_t next_slab = kFirstSlab;
  char* text = nullptr;  // the rest of the current block of texts
  char* text_end = nullptr;
  std::unordered_set<std::string_view> interned;
  std::unordered_map<std::string_view, uint64_t> introduced;  // when it was last
  std::vector<std::shared_ptr<const void>> kept;
  std::shared_ptr<const Source> source;

  std::byte* add_slab(size_t bytes) {
    slabs.reserve(slabs.size() + 1);
    const bool huge = bytes >= kHugePage;
    if (huge) bytes = (bytes + kHugePage - 1) & ~(kHugePage - 1);
    auto* memory =
        static_cast<std::byte*>(huge ? std::aligned_alloc(kHugePage, bytes) : std::malloc(bytes));
    if (!memory) throw std::bad_alloc();
    // Faulting a big model's memory in by small pages takes longer than filling it.
    if (huge) polygraphy::use_huge_pages(memory, bytes);
    slabs.emplace_back(memory, bytes);
    return memory;
  }
};

Store::Store() : impl_(std::make_unique<Impl>()) {}
Store::~Store() {
  for (const auto& slab : impl_->slabs) {
    ASAN_UNPOISON_MEMORY_REGION(slab.memory, slab.bytes);
  }
}

Store* Store::create() {
  return new Store;
}
void Store::destroy() {
  delete this;
}

std::string_view Store::keep(std::string_view text) {
  if (text.empty()) return std::string_view("", 0);
  const size_t bytes = text.size();
  if (static_cast<size_t>(impl_->text_end - impl_->text) < bytes) {
    const size_t block = std::max<size_t>(bytes, 4096);
    auto* memory = reinterpret_cast<char*>(impl_->add_slab(block));
    if (block == bytes) {  // a text that fills a block: leave the current one as it is
      std::memcpy(memory, text.data(), bytes);
      return {memory, bytes};
    }
    impl_->text = memory;
    impl_->text_end = memory + block;
  }
  char* copy = impl_->text;
  std::memcpy(copy, text.data(), bytes);
  impl_->text += bytes;
  return {copy, bytes};
}

std::string_view Store::intern(std::string_view text) {
  if (auto found = impl_->interned.find(text); found != impl_->interned.end()) return *found;
  const std::string_view copy = keep(text);
  impl_->interned.insert(copy);
  return copy;
}

std::string_view Store::adopt(std::string_view text) {
  if (text.empty()) return text.data() ? std::string_view("", 0) : text;
  const Source* source = impl_->source.get();
  if (source && source->contains(text.data()) && source->contains(text.data() + text.size())) {
    return text;
  }
  const auto* p = reinterpret_cast<const std::byte*>(text.data());
  for (const auto& slab : impl_->slabs) {
    const std::byte* begin = slab.memory;
    if (p >= begin && p + text.size() <= begin + slab.bytes) return text;
  }
  return keep(text);
}

void Store::introduce_name(std::string_view name) {
  impl_->introduced[name] = ++introduced_names_;
}

bool Store::introduced_since(std::string_view name, uint64_t count) const {
  if (introduced_names_ <= count) return false;
  const auto found = impl_->introduced.find(name);
  return found != impl_->introduced.end() && found->second > count;
}

void Store::keep_alive(std::shared_ptr<const void> owner) {
  impl_->kept.push_back(std::move(owner));
}

const std::shared_ptr<const Source>& Store::source() const {
  return impl_->source;
}
void Store::set_source(std::shared_ptr<const Source> source) {
  impl_->source = std::move(source);
}

void* Store::allocate(size_t bytes) {
  bytes = (bytes + kGrain - 1) & ~(kGrain - 1);
  if (const size_t size_class = bytes / kGrain; size_class <= kSizeClasses && free_[size_class]) {
    void* memory = free_[size_class];
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    std::memcpy(&free_[size_class], memory, sizeof(void*));
    return memory;
  }
  if (static_cast<size_t>(slab_end_ - slab_) < bytes) return allocate_slow(bytes);
  void* memory = slab_;
  slab_ += bytes;
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  return memory;
}

void* Store::allocate_slow(size_t bytes) {
  if (bytes > kFirstSlab / 4) return impl_->add_slab(bytes);
  const size_t slab = impl_->next_slab;
  slab_ = impl_->add_slab(slab);
  slab_end_ = slab_ + slab;
  impl_->next_slab = std::min(slab * 2, kLargestSlab);
  void* memory = slab_;
  slab_ += bytes;
  ASAN_POISON_MEMORY_REGION(slab_, static_cast<size_t>(slab_end_ - slab_));
  return memory;
}

void Store::deallocate(void* memory, size_t bytes) {
  if (!memory) return;
  bytes = (bytes + kGrain - 1) & ~(kGrain - 1);
  if (const size_t size_class = bytes / kGrain; size_class <= kSizeClasses) {
    std::memcpy(memory, &free_[size_class], sizeof(void*));
    free_[size_class] = memory;
  }
  ASAN_POISON_MEMORY_REGION(memory, bytes);
}

Object::~Object() = default;

// A node owns tensors, attributes own graphs, graphs own nodes: nested graphs would recurse as deep
// as they are nested. So an object that dies while another is being destroyed waits in a list,
// linked through the pointer that only a living object needs.
void Object::destroy() {
  thread_local Object* waiting = nullptr;
  thread_local bool destroying = false;
  binding = waiting;
  waiting = this;
  if (destroying) return;
  destroying = true;
  while (waiting) {
    Object* object = waiting;
    waiting = static_cast<Object*>(object->binding);
    Store* const store = object->store_;
    const size_t bytes = object->bytes_;
    object->~Object();
    store->deallocate(object, bytes);
    store->release();
  }
  destroying = false;
}

std::string Source::where(const char* p) const {
  if (p == nullptr || !contains(p)) return name;
  return name + ": at byte " + std::to_string(p - bytes.data());
}

std::string_view Source::keep(const wire::FieldGather& gather) const {
  if (gather.in_place()) return gather.fields();
  return copies_.emplace_back(gather.fields());
}

}  // namespace graphsurgeon
