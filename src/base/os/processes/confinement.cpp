#include "base/os/processes/confinement.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>

#include "base/error.h"
#include "base/os/files/descriptor.h"
#include "base/os/memory/memory_map.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

// Of <linux/landlock.h>, which older systems lack or have in part: the calls, with the same
// numbers on all machines, and the rights, in the order of their bits.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr uint32_t kVersionOfRulesets = 1, kPathBeneath = 1;

enum Right : uint64_t {
  kExecute = 1u << 0,
  kWriteFile = 1u << 1,
  kReadFile = 1u << 2,
  kReadFolder = 1u << 3,
  kRemoveFolder = 1u << 4,
  kRemoveFile = 1u << 5,
  kMakeCharacterDevice = 1u << 6,
  kMakeFolder = 1u << 7,
  kMakeFile = 1u << 8,
  kMakeSocket = 1u << 9,
  kMakeFifo = 1u << 10,
  kMakeBlockDevice = 1u << 11,
  kMakeLink = 1u << 12,
  kRefer = 1u << 13,     // rename and link between folders; version 2
  kTruncate = 1u << 14,  // version 3
  kIoctl = 1u << 15,     // of devices; version 5
};
constexpr uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctl;
constexpr uint64_t kReading = kReadFile | kReadFolder;
constexpr uint64_t kWriting = kReading | kWriteFile | kRemoveFolder | kRemoveFile | kMakeFolder |
                              kMakeFile | kMakeFifo | kMakeLink | kRefer | kTruncate | kIoctl;

struct RulesetAttributes {
  uint64_t files = 0;
  uint64_t network = 0;  // version 4: bind and connect of TCP
  uint64_t scoped = 0;   // version 6: abstract sockets and signals of other processes
};

struct PathBeneath {
  uint64_t allowed;
  int32_t folder;
} __attribute__((packed));

uint64_t rights_of_version(long version) {
  uint64_t all = kMakeLink | (kMakeLink - 1);
  if (version >= 2) all |= kRefer;
  if (version >= 3) all |= kTruncate;
  if (version >= 5) all |= kIoctl;
  return all;
}

// The loader of programs with libraries, which the kernel starts with each of them.
std::string program_loader() {
  std::string path;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* found) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          if (object->dlpi_phdr[i].p_type != PT_INTERP) continue;
          const auto* text =
              reinterpret_cast<const char*>(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
          *static_cast<std::string*>(found) = text;
        }
        return 1;  // the program itself comes first
      },
      &path);
  return path;
}

class Ruleset {
 public:
  explicit Ruleset(const Confinement& confinement) {
    const long version = ::syscall(kCreateRuleset, nullptr, 0, kVersionOfRulesets);
    if (version < 1) return;
    RulesetAttributes attributes{.files = rights_of_version(version)};
    if (version >= 4 && !confinement.network) attributes.network = 3;
    if (version >= 6) attributes.scoped = confinement.network ? 2 : 3;
    handled_ = attributes.files;
    fd_ = FileDescriptor(
        static_cast<int>(::syscall(kCreateRuleset, &attributes, sizeof attributes, 0)));
    if (!fd_) throw IoError("cannot make a sandbox: " + system_reason(errno));
    allow(confinement.read, kReading);
    allow(confinement.write, kWriting);
    allow(confinement.execute, kExecute);
    if (!confinement.execute.empty()) allow({program_loader()}, kExecute);
    allow(confinement.list, kReadFolder);
    allow(confinement.unmake, kRemoveFolder);
  }

  bool enforce() const { return fd_ && ::syscall(kRestrictSelf, fd_.get(), 0) == 0; }

 private:
  void allow(const std::vector<std::string>& paths, uint64_t rights) {
    for (const std::string& path : paths) {
      const FileDescriptor folder(::open(path.c_str(), O_PATH | O_CLOEXEC));
      if (!folder) {
        // Another reason may not last, and a missing rule would.
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        if (missing || (errno == EACCES && (rights & kRemoveFolder) == 0)) continue;
        throw IoError("cannot allow '" + path + "' in the sandbox: " + system_reason(errno));
      }
      struct stat info;
      PathBeneath rule{.allowed = rights & handled_, .folder = folder.get()};
      if (::fstat(folder.get(), &info) == 0 && !S_ISDIR(info.st_mode)) rule.allowed &= kOfFiles;
      // Not of pipes, which need no rule.
      if (rule.allowed != 0)
        static_cast<void>(::syscall(kAddRule, fd_.get(), kPathBeneath, &rule, 0));
    }
  }

  FileDescriptor fd_;
  uint64_t handled_ = 0;
};

#if defined(__x86_64__)
constexpr uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kMachine = 0;  // calls are not limited
#endif

// Calls of no inference engine: those that change permissions, owners, times and attributes of
// files that may only be read, which Landlock lets pass; that look into other processes; that talk
// to the kernel about itself; and rings, which make other calls unseen.
constexpr long kRefused[] = {
    SYS_fchownat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_open_by_handle_at,
    SYS_syslog,
    SYS_quotactl,
    425 /* io_uring_setup */,
    426 /* io_uring_enter */,
    438 /* pidfd_getfd */,
    463 /* setxattrat */,
    466 /* removexattrat */,
#ifdef SYS_chmod
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_iopl,
    SYS_ioperm,
#endif
};
// They change nothing, and succeed: engines set the permissions of files in their caches.
constexpr long kIgnored[] = {
    SYS_fchmodat,
    452,  // fchmodat2
#ifdef SYS_chmod
    SYS_chmod,
#endif
};
constexpr long kPrograms[] = {SYS_execve, SYS_execveat};

// A filter of calls: classic BPF over seccomp_data.
class Calls {
 public:
  Calls() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    constexpr uint32_t kOtherNumbers = 0x40000000;  // the same calls under a second name
    add(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
#endif
  }

  void refuse(std::span<const long> calls) {
    for (const long call : calls) refuse(call);
  }
  void refuse(long call) { answer(call, EACCES); }
  void ignore(std::span<const long> calls) {
    for (const long call : calls) answer(call, 0);
  }
  // Where a half of an argument is (or is not) `value`; `half`: counted from that of argument 0.
  enum class Where { kIs, kIsNot };
  void refuse(long call, uint32_t half, Where where, uint32_t value) {
    const uint8_t same = where == Where::kIs ? 0 : 1;
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
    load(offsetof(seccomp_data, args) + 4 * half);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, same, static_cast<uint8_t>(1 - same));
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
    load(offsetof(seccomp_data, nr));
  }

  // Unless one of `bits` is set there.
  void refuse_without(long call, uint32_t half, uint32_t bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
    load(offsetof(seccomp_data, args) + 4 * half);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
    load(offsetof(seccomp_data, nr));
  }

  bool enforce() {
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog program{.len = static_cast<unsigned short>(code_.size()),
                             .filter = code_.data()};
    constexpr unsigned kAllThreads = SECCOMP_FILTER_FLAG_TSYNC;
    return kMachine != 0 &&
           ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kAllThreads, &program) == 0;
  }

 private:
  void answer(long call, uint32_t error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
  }
  void add(int code, uint32_t value, uint8_t if_true = 0, uint8_t if_false = 0) {
    code_.push_back({static_cast<uint16_t>(code), if_true, if_false, value});
  }
  void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }

  std::vector<sock_filter> code_;
};

// The system administrator's rights beyond files and processes.
void drop_capabilities() {
  constexpr uint32_t kKept = 1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH |
                             1u << CAP_FOWNER | 1u << CAP_FSETID | 1u << CAP_KILL |
                             1u << CAP_IPC_LOCK | 1u << CAP_SYS_NICE | 1u << CAP_SYS_RESOURCE;
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0) return;
  for (int word = 0; word < 2; ++word) {
    const uint32_t kept = word == 0 ? kKept : 0;
    data[word].effective &= kept;
    data[word].permitted &= kept;
    data[word].inheritable &= kept;
  }
  // Of programs that it starts, as their limit. Some numbers are not in use.
  for (int number = 0; number < 64; ++number) {
    if (number >= 32 || (kKept >> number & 1) == 0)
      static_cast<void>(::prctl(PR_CAPBSET_DROP, number, 0, 0, 0));
  }
  static_cast<void>(::syscall(SYS_capset, &header, data));
}

bool limit_calls(const Confinement& confinement) {
  Calls calls;
  calls.refuse(kRefused);
  calls.ignore(kIgnored);
  // Those of open files, without a path, pass.
  calls.refuse(SYS_utimensat, 2, Calls::Where::kIsNot, 0);
  calls.refuse(SYS_utimensat, 3, Calls::Where::kIsNot, 0);
  // Words put into the terminal, as if they had been typed.
  calls.refuse(SYS_ioctl, 2, Calls::Where::kIs, TIOCSTI);
  constexpr uint32_t kSelection = 0x541C;  // TIOCLINUX
  calls.refuse(SYS_ioctl, 2, Calls::Where::kIs, kSelection);
  // Landlock knows folders only. Older systems lack the flag: there, the gap stays.
  const FileDescriptor probe(::memfd_create("probe", MFD_CLOEXEC | kNeverExecuted));
  if (probe && !confinement.from_memory) calls.refuse_without(SYS_memfd_create, 2, kNeverExecuted);
  if (!confinement.network) calls.refuse(SYS_socket);
  if (confinement.execute.empty()) calls.refuse(kPrograms);
  return calls.enforce();
}

bool confined = false;

}  // namespace

Enforced confine_this_process(const Confinement& confinement) {
  Enforced enforced;
  const Ruleset rules(confinement);
  drop_capabilities();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return enforced;
  enforced.files = rules.enforce();
  enforced.calls = limit_calls(confinement);
  confined |= enforced.files;
  return enforced;
}

void refuse_programs() {
  Calls calls;
  calls.refuse(kPrograms);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) calls.enforce();
}

bool is_confined() {
  return confined;
}

// access() knows permissions only, no confinement.
bool is_refused(const std::string& path, int error) {
  return confined && error == EACCES && ::access(path.c_str(), R_OK) == 0;
}

}  // namespace polygraphy
