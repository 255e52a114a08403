// A struct described once: the table from which its JSON is written and read, and its JSON Schema,
// its class in Python and its figures in docs/results.md are made. A struct of results has, beside
// it, found by argument-dependent lookup:
//
//   constexpr auto record_of(RecordOf<Flip>) {
//     return record<Flip>("Flip", "A token that differs.",
//                         member("place", &Flip::place, "\"logits[0, 5]\"."),
//                         member("text", &Flip::text, "Of the token.").if_set(),
//                         derived("wrong", &Flip::wrong, "Noise does not explain it."));
//   }
//
// An enumeration has name_of(Kind), and all_of(RecordOf<Kind>), an array of its values.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace polygraphy {

template <typename T>
struct RecordOf {};

enum class MemberKind : uint8_t {
  kStored,    // written and read
  kDerived,   // follows from other members: in objects only, and read where it is Mapped
  kInternal,  // in rows only: other members show it
};

// `Get`: a pointer to a member, or a function of a record; of kStored and kInternal, it gives a
// reference.
template <typename Get>
struct Member {
  std::string_view name;
  Get get;
  std::string_view meaning;
  MemberKind kind = MemberKind::kStored;
  bool optional = false;      // left out of objects where it has its default value
  bool bytes = false;         // a text in base64
  bool nullable = false;      // an empty text is null
  bool required = false;      // an object without it is another document
  bool as_rows = false;       // records in it are arrays: of many of them
  bool in_json_only = false;  // not in the class of Python
  bool counts = false;        // a number that is not negative
  std::string_view in_python = {};

  constexpr Member if_set() const { return with(&Member::optional); }
  constexpr Member base64() const { return with(&Member::bytes); }
  constexpr Member or_null() const { return with(&Member::nullable); }
  constexpr Member json_only() const { return with(&Member::in_json_only); }
  constexpr Member needed() const { return with(&Member::required); }
  constexpr Member rows() const { return with(&Member::as_rows); }
  constexpr Member python(std::string_view other) const {
    Member changed = *this;
    changed.in_python = other;
    return changed;
  }

 private:
  constexpr Member with(bool Member::* flag) const {
    Member changed = *this;
    changed.*flag = true;
    return changed;
  }
};

template <typename Get>
constexpr Member<Get> member(std::string_view name, Get get, std::string_view meaning) {
  return {.name = name, .get = get, .meaning = meaning};
}
template <typename Get>
constexpr Member<Get> count(std::string_view name, Get get, std::string_view meaning) {
  return {.name = name, .get = get, .meaning = meaning, .counts = true};
}
template <typename Get>
constexpr Member<Get> derived(std::string_view name, Get get, std::string_view meaning) {
  return {.name = name, .get = get, .meaning = meaning, .kind = MemberKind::kDerived};
}
// Another form of a member, which `set` takes back.
template <typename Read, typename Write>
struct Mapped {
  Read read;
  Write set;
  template <typename T>
  constexpr auto operator()(const T& record) const {
    return read(record);
  }
};
template <typename Read, typename Write>
constexpr Member<Mapped<Read, Write>> mapped(std::string_view name, Read read, Write set,
                                             std::string_view meaning) {
  return {.name = name, .get = {read, set}, .meaning = meaning};
}
template <typename Get>
constexpr Member<Get> internal(std::string_view name, Get get) {
  return {.name = name, .get = get, .meaning = {}, .kind = MemberKind::kInternal};
}

// A number by which a reader knows the document, and its form; no member of the struct.
struct FormNumber {
  int64_t number;
  template <typename T>
  constexpr int64_t operator()(const T&) const {
    return number;
  }
};
constexpr Member<FormNumber> form(std::string_view name, int64_t number) {
  return {.name = name,
          .get = {number},
          .meaning = "The form of the document.",
          .kind = MemberKind::kDerived,
          .required = true};
}

template <typename T, typename... Members>
struct RecordTable {
  std::string_view name, meaning;
  std::tuple<Members...> members;
};

template <typename T, typename... Members>
constexpr RecordTable<T, Members...> record(std::string_view name, std::string_view meaning,
                                            Members... members) {
  return {name, meaning, std::tuple<Members...>(members...)};
}

template <typename T>
concept Record = requires { record_of(RecordOf<std::remove_cv_t<T>>()); };

template <typename T>
concept Worded = std::is_enum_v<T> && requires(T value) {
  { name_of(value) } -> std::convertible_to<std::string_view>;
  all_of(RecordOf<T>());
};

// The values of an enumeration that counts from 0.
template <auto Last>
constexpr auto values_up_to() {
  std::array<decltype(Last), static_cast<size_t>(Last) + 1> all{};
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<decltype(Last)>(i);
  return all;
}

// The value of this name; nullopt: none has it.
template <Worded T>
std::optional<T> parse_word(std::string_view name) {
  for (const T one : all_of(RecordOf<T>())) {
    if (name_of(one) == name) return one;
  }
  return std::nullopt;
}

// Calls `use` for each row of the table of T, in order.
template <Record T, typename Use>
constexpr void each_member(Use use) {
  std::apply([&](const auto&... members) { (use(members), ...); },
             record_of(RecordOf<T>()).members);
}

}  // namespace polygraphy
