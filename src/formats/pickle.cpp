#include "formats/pickle.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"

namespace polygraphy {
namespace {

// By the names of CPython's Lib/pickletools.py.
enum class PickleOpcode : uint8_t {
  kMark = '(',
  kStop = '.',
  kBinint = 'J',
  kBinint1 = 'K',
  kBinint2 = 'M',
  kNone = 'N',
  kBinpersid = 'Q',
  kReduce = 'R',
  kBinunicode = 'X',
  kAppend = 'a',
  kBuild = 'b',
  kGlobal = 'c',
  kAppends = 'e',
  kBinget = 'h',
  kLongBinget = 'j',
  kBinput = 'q',
  kLongBinput = 'r',
  kSetitem = 's',
  kTuple = 't',
  kSetitems = 'u',
  kEmptyDict = '}',
  kEmptyList = ']',
  kEmptyTuple = ')',
  kBinfloat = 'G',
  kProto = 0x80,
  kNewobj = 0x81,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewtrue = 0x88,
  kNewfalse = 0x89,
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  kShortBinunicode = 0x8c,
  kBinunicode8 = 0x8d,
  kStackGlobal = 0x93,
  kMemoize = 0x94,
  kFrame = 0x95
};

constexpr size_t kMaxBytes = size_t{64} << 20, kMaxValues = size_t{1} << 22, kMaxMarks = 1000,
                 kMaxGlobal = 256;

// The machine that a pickle is a program for: a stack, marks on it, and a memo.
class PickleReader {
 public:
  PickleReader(std::span<const std::byte> bytes, const std::string& what)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), what_(what) {
    if (bytes.size() > kMaxBytes) fail("has more than 64 MiB");
    pickle_.values.emplace_back();  // the one value of all opaque ones
  }

  Pickle read() {
    while (step(static_cast<PickleOpcode>(take(1).front()))) {
    }
    return std::move(pickle_);
  }

 private:
  using enum PickleOpcode;

  [[noreturn]] void fail(const std::string& why) const {
    throw FormatError(what_ + ": the pickle " + why + " (byte " + std::to_string(at_) + ").");
  }

  std::string_view take(uint64_t size) {
    if (size > text_.size() - at_) fail("is truncated");
    const std::string_view part = text_.substr(at_, static_cast<size_t>(size));
    at_ += static_cast<size_t>(size);
    return part;
  }

  // An unsigned integer, little endian.
  uint64_t take_number(size_t size) {
    uint64_t value = 0;
    const std::string_view bytes = take(size);
    for (size_t i = 0; i < size; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    return value;
  }

  std::string_view take_line() {
    const size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) fail("is truncated");
    const std::string_view line = take(end - at_);
    take(1);
    return line;
  }

  void push(uint32_t place) { stack_.push_back(place); }

  PickleValue& push_new(PickleKind kind) {
    if (pickle_.values.size() == kMaxValues) fail("has more than 4 million values");
    push(static_cast<uint32_t>(pickle_.values.size()));
    PickleValue& value = pickle_.values.emplace_back();
    value.kind = kind;
    return value;
  }

  void push_integer(int64_t number) { push_new(PickleKind::kInteger).number = number; }
  void push_text(uint64_t size) { push_new(PickleKind::kText).text = take(size); }

  // Two's complement, little endian.
  void push_long(uint64_t size) {
    const std::string_view bytes = take(size);
    if (size > sizeof(uint64_t)) return push(0);
    uint64_t value = size > 0 && static_cast<int8_t>(bytes.back()) < 0 ? ~uint64_t{0} : 0;
    for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
    push_integer(static_cast<int64_t>(value));
  }

  void push_global(std::string_view module, std::string_view name) {
    if (module.size() + name.size() > kMaxGlobal) fail("has a name of more than 256 bytes");
    std::string& text = push_new(PickleKind::kGlobal).text;
    text.append(module).append(".").append(name);
  }

  void push_call() {
    const uint32_t arguments = pop(), callee = pop();
    if (pickle_.at(callee).kind != PickleKind::kGlobal ||
        pickle_.at(arguments).kind != PickleKind::kTuple) {
      fail("calls a value that is not a name");
    }
    PickleValue& call = push_new(PickleKind::kCall);
    call.callee = callee;
    call.arguments = arguments;
  }

  // The lowest place that may be popped.
  size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  uint32_t pop() {
    const uint32_t place = top();
    stack_.pop_back();
    return place;
  }

  uint32_t top() const {
    if (stack_.size() <= floor()) fail("takes a value where none is");
    return stack_.back();
  }

  std::vector<uint32_t> pop_last(size_t count) {
    if (stack_.size() - floor() < count) fail("takes a value where none is");
    std::vector<uint32_t> items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return items;
  }

  std::vector<uint32_t> pop_to_mark() {
    if (marks_.empty()) fail("goes back to a mark where none is");
    std::vector<uint32_t> items = pop_last(stack_.size() - marks_.back());
    marks_.pop_back();
    return items;
  }

  void push_tuple(std::vector<uint32_t> items) {
    push_new(PickleKind::kTuple).items = std::move(items);
  }

  void add_to_list(const std::vector<uint32_t>& items) {
    PickleValue& list = pickle_.values[top()];
    if (list.kind != PickleKind::kList) fail("appends to a value that is not a list");
    list.items.insert(list.items.end(), items.begin(), items.end());
  }

  void add_to_dict(const std::vector<uint32_t>& items) {
    PickleValue& dict = pickle_.values[top()];
    if (dict.kind != PickleKind::kDict && dict.kind != PickleKind::kCall)
      fail("sets an item of a value that is not a dict");
    if (items.size() % 2 != 0) fail("has a key without a value");
    dict.items.insert(dict.items.end(), items.begin(), items.end());
  }

  void put(uint64_t index) {
    if (memo_.size() == kMaxValues) fail("has more than 4 million values");
    memo_[index] = top();
  }

  void get(uint64_t index) {
    const auto found = memo_.find(index);
    if (found == memo_.end()) fail("refers to a value that it does not have");
    push(found->second);
  }

  // False behind the last one.
  bool step(PickleOpcode opcode) {
    switch (opcode) {
      case kStop:
        pickle_.root = pop();
        return false;
      case kProto: {
        const uint64_t protocol = take_number(1);
        if (protocol < 2 || protocol > 5) fail("is of protocol " + std::to_string(protocol));
        break;
      }
      case kFrame:
        take_number(8);
        break;
      case kMark:
        if (marks_.size() == kMaxMarks) fail("is nested deeper than 1,000 marks");
        marks_.push_back(stack_.size());
        break;
      case kNone:
      case kNewtrue:
      case kNewfalse:
        push(0);
        break;
      case kBinfloat:
        take(8);
        push(0);
        break;
      default:
        return push_value(opcode) || combine(opcode) || remember(opcode) || refuse(opcode);
    }
    return true;
  }

  // These return false for the opcodes of others.
  bool push_value(PickleOpcode opcode) {
    switch (opcode) {
      case kBinint:
        push_integer(static_cast<int32_t>(take_number(4)));
        break;
      case kBinint1:
        push_integer(static_cast<int64_t>(take_number(1)));
        break;
      case kBinint2:
        push_integer(static_cast<int64_t>(take_number(2)));
        break;
      case kLong1:
        push_long(take_number(1));
        break;
      case kLong4:
        push_long(take_number(4));
        break;
      case kShortBinunicode:
        push_text(take_number(1));
        break;
      case kBinunicode:
        push_text(take_number(4));
        break;
      case kBinunicode8:
        push_text(take_number(8));
        break;
      case kEmptyDict:
        push_new(PickleKind::kDict);
        break;
      case kEmptyList:
        push_new(PickleKind::kList);
        break;
      case kEmptyTuple:
        push_new(PickleKind::kTuple);
        break;
      case kGlobal: {
        const std::string_view module = take_line();
        push_global(module, take_line());
        break;
      }
      default:
        return false;
    }
    return true;
  }

  bool combine(PickleOpcode opcode) {
    switch (opcode) {
      case kTuple1:
      case kTuple2:
      case kTuple3:
        push_tuple(pop_last(static_cast<size_t>(opcode) - static_cast<size_t>(kTuple1) + 1));
        break;
      case kTuple:
        push_tuple(pop_to_mark());
        break;
      case kAppend:
        add_to_list({pop()});
        break;
      case kAppends:
        add_to_list(pop_to_mark());
        break;
      case kSetitem:
        add_to_dict(pop_last(2));
        break;
      case kSetitems:
        add_to_dict(pop_to_mark());
        break;
      case kStackGlobal: {
        const std::vector<uint32_t> names = pop_last(2);
        const PickleValue &module = pickle_.at(names[0]), &name = pickle_.at(names[1]);
        if (module.kind != PickleKind::kText || name.kind != PickleKind::kText)
          fail("has a name that is not a text");
        push_global(std::string(module.text), std::string(name.text));  // values move
        break;
      }
      case kReduce:
      case kNewobj:
        push_call();
        break;
      case kBuild:  // the attributes of a call's result: plain data has none
        pop();
        if (pickle_.at(top()).kind != PickleKind::kCall) fail("sets attributes of plain data");
        break;
      case kBinpersid: {
        const uint32_t id = pop();
        push_new(PickleKind::kPersistent).items = {id};
        break;
      }
      default:
        return false;
    }
    return true;
  }

  bool remember(PickleOpcode opcode) {
    switch (opcode) {
      case kBinget:
        get(take_number(1));
        break;
      case kLongBinget:
        get(take_number(4));
        break;
      case kBinput:
        put(take_number(1));
        break;
      case kLongBinput:
        put(take_number(4));
        break;
      case kMemoize:
        put(memo_.size());
        break;
      default:
        return false;
    }
    return true;
  }

  [[noreturn]] bool refuse(PickleOpcode opcode) const {
    const auto code = static_cast<uint8_t>(opcode);
    constexpr std::string_view kDigits = "0123456789abcdef";
    fail(std::string("has an object that is not plain data, of opcode 0x") + kDigits[code / 16] +
         kDigits[code % 16]);
  }

  std::string_view text_;
  const std::string& what_;
  size_t at_ = 0;
  Pickle pickle_;
  std::vector<uint32_t> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, uint32_t> memo_;
};

}  // namespace

Pickle read_pickle(std::span<const std::byte> bytes, const std::string& what) {
  return PickleReader(bytes, what).read();
}

}  // namespace polygraphy
