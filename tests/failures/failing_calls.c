// Loaded before the C library (LD_PRELOAD), stands between a polygraphy process and the system: it
// counts calls by kind, makes one of them fail, and records the process's writes to a folder.
//
//   FAILING_REPORT  file of a struct report, which exists; counts and the failed call
//   FAILING_CALL    kind:n:error, for the nth call of that kind, from 1 on; error 0: half of the
//                   bytes only; a following '+': all calls from the nth on
//   FAILING_WORD    only in the process that has this first argument; without it, only in the
//                   first process
//   RECORDED_WRITES file for the record; the folder is the current one
//
// Only calls of the executable count, of its plugins, and of the C and C++ libraries on their
// behalf. The dynamic loader and the engines' libraries keep their calls.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

enum kind {
  kMemory,
  kRead,
  kWrite,
  kOpen,
  kMap,
  kSync,
  kRename,
  kLink,
  kFolder,
  kTruncate,
  kCopy,
  kList,
  kProcess,
  kThread,
  kKinds
};
static const char* const kind_names[] = {"memory", "read",   "write",   "open",   "map",
                                         "sync",   "rename", "link",    "folder", "truncate",
                                         "copy",   "list",   "process", "thread"};

struct report {
  _Atomic uint64_t counts[kKinds];
  _Atomic uint64_t failed;  // calls that were made to fail
  int64_t fd;               // of the last of them; -1: it has none
  uint64_t callers[16];     // addresses in the executable; 0: none
};

static struct report* report;  // null: this process is left alone
static int failing_kind = -1, failing_error, and_later;
static uint64_t failing_nth;
static int record = -1;
static char recorded_folder[PATH_MAX];
static pthread_mutex_t record_lock = PTHREAD_MUTEX_INITIALIZER;

// ---- callers

struct range {
  uintptr_t begin, end;
};
enum side { kOurs, kLibraries, kOthers };
static struct range executable;
static __thread int inside;  // no call of this library counts

struct walk {
  int skipped;
  enum side side;
  int frames;
};

static enum side side_of(uintptr_t address) {
  if (address >= executable.begin && address < executable.end) return kOurs;
  struct dl_find_object found;
  if (_dl_find_object((void*)address, &found) != 0) return kOthers;
  const char* name = strrchr(found.dlfo_link_map->l_name, '/');
  name = name ? name + 1 : found.dlfo_link_map->l_name;
  if (strncmp(name, "polygraphy_", 11) == 0) return kOurs;
  const char* const libraries[] = {"libc.so", "libstdc++.so", "libgcc_s.so", "failing_calls.so"};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i)
    if (strncmp(name, libraries[i], strlen(libraries[i])) == 0) return kLibraries;
  return kOthers;
}

static _Unwind_Reason_Code on_frame(struct _Unwind_Context* context, void* argument) {
  struct walk* walk = argument;
  walk->side = side_of(_Unwind_GetIP(context) - 1);
  return walk->side == kLibraries && ++walk->frames < 64 ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

// Whether the first frame behind the C and C++ libraries is ours.
static int is_ours(void) {
  struct walk walk = {0, kOthers, 0};
  _Unwind_Backtrace(on_frame, &walk);
  return walk.side == kOurs;
}

struct trace {
  int count;
};
static _Unwind_Reason_Code on_traced(struct _Unwind_Context* context, void* argument) {
  struct trace* trace = argument;
  const uintptr_t address = _Unwind_GetIP(context) - 1;
  if (address >= executable.begin && address < executable.end)
    report->callers[trace->count++] = address - executable.begin;
  return trace->count < 16 ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

// Whether this call has to fail; sets errno.
static int fails(enum kind kind, int fd) {
  if (!report || inside) return 0;
  ++inside;
  int result = 0;
  if (is_ours()) {
    const uint64_t n = atomic_fetch_add(&report->counts[kind], 1) + 1;
    if ((int)kind == failing_kind && (n == failing_nth || (and_later && n > failing_nth))) {
      result = 1;
      report->fd = fd;
      struct trace trace = {0};
      if (atomic_fetch_add(&report->failed, 1) == 0) _Unwind_Backtrace(on_traced, &trace);
      errno = failing_error;
    }
  }
  --inside;
  return result;
}

// ---- start

static int on_object(struct dl_phdr_info* info, size_t size, void* ignored) {
  (void)size, (void)ignored;
  executable.begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    const uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > executable.end) executable.end = end;
  }
  return 1;  // the executable is the first
}

static int is_wanted(const char* word) {
  if (!word) return 1;
  char line[4096];
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t size = syscall(SYS_read, fd, line, sizeof line - 2);
  syscall(SYS_close, fd);
  if (size <= 0) return 0;
  line[size] = line[size + 1] = 0;
  return strcmp(line + strlen(line) + 1, word) == 0;
}

// By number and high up, where programs do not look for their own descriptors.
static int opened_high(const char* path, int flags) {
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, 700);
  syscall(SYS_close, fd);
  return high;
}

static void start(void) {
  const char* path = getenv("FAILING_REPORT");
  const char* call = getenv("FAILING_CALL");
  const char* word = getenv("FAILING_WORD");
  const char* writes = getenv("RECORDED_WRITES");
  if (!path || !is_wanted(word)) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  void* shared =
      (void*)syscall(SYS_mmap, 0, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (shared == MAP_FAILED) abort();
  dl_iterate_phdr(on_object, NULL);
  char kind[16] = "", later = 0;
  unsigned long nth = 0;
  if (call && sscanf(call, "%15[a-z]:%lu:%d%c", kind, &nth, &failing_error, &later) >= 3) {
    for (int i = 0; i < kKinds; ++i)
      if (strcmp(kind, kind_names[i]) == 0) failing_kind = i;
    if (failing_kind < 0) abort();
    failing_nth = nth;
    and_later = later == '+';
  }
  if (writes) {
    if (!getcwd(recorded_folder, sizeof recorded_folder)) abort();
    record = opened_high(writes, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
  }
  // The unwinder's and the loader's own preparations.
  struct walk walk = {0, kOthers, 0};
  _Unwind_Backtrace(on_frame, &walk);
  if (!word) unsetenv("LD_PRELOAD");
  report = shared;
}
// Behind the constructors of the libraries that it needs, before those of the executable.
__attribute__((constructor)) static void on_load(void) {
  start();
}

// The next definition of a function that does more than one call of the system.
static void* next(const char* name) {
  ++inside;
  void* found = dlsym(RTLD_NEXT, name);
  --inside;
  if (!found) abort();
  return found;
}

// ---- the record: a line for each change, and the written bytes behind it

static void put(const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    const long done = syscall(SYS_write, record, at, size);
    if (done <= 0) abort();
    at += done;
    size -= (size_t)done;
  }
}

static void note(const char* line, const void* bytes, size_t size) {
  pthread_mutex_lock(&record_lock);
  put(line, strlen(line));
  put("\n", 1);
  if (size > 0) put(bytes, size);
  pthread_mutex_unlock(&record_lock);
}

static void note_paths(const char* what, const char* from, const char* to) {
  if (record < 0) return;
  char line[2 * PATH_MAX + 64];
  snprintf(line, sizeof line, to ? "%s\t%s\t%s" : "%s\t%s", what, from, to);
  note(line, NULL, 0);
}

// The inode of a file or folder in the recorded folder; 0: something else.
static unsigned long recorded(int fd, struct stat* info) {
  char link[64], target[PATH_MAX];
  if (record < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long size = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
  const size_t length = strlen(recorded_folder);
  if (size < (long)length || strncmp(target, recorded_folder, length) != 0) return 0;
  if (syscall(SYS_newfstatat, fd, "", info, AT_EMPTY_PATH) != 0) return 0;
  return info->st_ino;
}

static void note_write(int fd, const void* bytes, off_t offset, long done) {
  struct stat info;
  const unsigned long inode = done > 0 ? recorded(fd, &info) : 0;
  if (!inode || !S_ISREG(info.st_mode)) return;
  if (offset < 0) offset = syscall(SYS_lseek, fd, 0, SEEK_CUR) - done;
  char line[96];
  snprintf(line, sizeof line, "write\t%lu\t%ld\t%ld", inode, (long)offset, done);
  note(line, bytes, (size_t)done);
}

static void note_inode(const char* what, int fd, const char* behind) {
  struct stat info;
  const unsigned long inode = recorded(fd, &info);
  if (!inode) return;
  char line[PATH_MAX + 64];
  snprintf(line, sizeof line, "%s\t%lu\t%s", what, inode, behind);
  note(line, NULL, 0);
}

// From now on, a file's bytes lie on the disk, or the names in a folder.
static void note_sync(int fd) {
  struct stat info;
  if (!recorded(fd, &info)) return;
  note_inode(S_ISDIR(info.st_mode) ? "settled" : "synced", fd, "");
}

// ---- memory

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) {
  return fails(kMemory, -1) ? NULL : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return fails(kMemory, -1) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return fails(kMemory, -1) ? NULL : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails(kMemory, -1) ? NULL : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
  void* made = memalign(alignment, size);
  if (made) *result = made;
  return made ? 0 : ENOMEM;
}

// ---- files

#define ALSO(name) __attribute__((alias(#name)))

static int opened(int folder, const char* path, int flags, mode_t mode) {
  if (fails(kOpen, -1)) return -1;
  const int existed = record < 0 || syscall(SYS_faccessat, folder, path, F_OK) == 0;
  const int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (record >= 0 && fd >= 0 && !existed && (flags & O_CREAT)) note_inode("name", fd, path);
  if (record >= 0 && fd >= 0 && existed && (flags & O_TRUNC)) note_inode("truncate", fd, "0");
  return fd;
}
static mode_t mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}
int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return opened(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return opened(folder, path, flags, mode);
}
int open64(const char* path, int flags, ...) ALSO(open);
int openat64(int folder, const char* path, int flags, ...) ALSO(openat);
FILE* fopen(const char* path, const char* mode) {
  if (fails(kOpen, -1)) return NULL;
  const int existed = record < 0 || syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
  FILE* (*call)(const char*, const char*) = (FILE * (*)(const char*, const char*)) next("fopen");
  FILE* file = call(path, mode);
  if (record >= 0 && file && *mode != 'r' && !existed) note_inode("name", fileno(file), path);
  if (record >= 0 && file && *mode == 'w' && existed) note_inode("truncate", fileno(file), "0");
  return file;
}
FILE* fopen64(const char* path, const char* mode) ALSO(fopen);
DIR* opendir(const char* path) {
  if (fails(kOpen, -1)) return NULL;
  DIR* (*call)(const char*) = (DIR * (*)(const char*)) next("opendir");
  return call(path);
}
struct dirent* readdir(DIR* folder) {
  if (fails(kList, -1)) return NULL;
  struct dirent* (*call)(DIR*) = (struct dirent * (*)(DIR*)) next("readdir");
  return call(folder);
}
struct dirent64* readdir64(DIR* folder) {
  return (struct dirent64*)readdir(folder);
}
int pipe2(int ends[2], int flags) {
  return fails(kOpen, -1) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}
int memfd_create(const char* name, unsigned flags) {
  return fails(kOpen, -1) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}
int mkdir(const char* path, mode_t mode) {
  if (fails(kFolder, -1)) return -1;
  const int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  if (result == 0 && record >= 0) {
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC);
    note_inode("folder", fd, path);
    syscall(SYS_close, fd);
  }
  return result;
}

// `size`, or half of it where the call has to fail with error 0; -1: an error.
static ssize_t allowed(enum kind kind, int fd, size_t size) {
  if (!fails(kind, fd)) return (ssize_t)size;
  return errno == 0 && size > 1 ? (ssize_t)(size / 2) : errno == 0 ? (ssize_t)size : -1;
}
ssize_t read(int fd, void* bytes, size_t size) {
  const ssize_t most = allowed(kRead, fd, size);
  return most < 0 ? -1 : syscall(SYS_read, fd, bytes, most);
}
ssize_t pread(int fd, void* bytes, size_t size, off_t offset) {
  const ssize_t most = allowed(kRead, fd, size);
  return most < 0 ? -1 : syscall(SYS_pread64, fd, bytes, most, offset);
}
ssize_t pread64(int fd, void* bytes, size_t size, off_t offset) ALSO(pread);
ssize_t write(int fd, const void* bytes, size_t size) {
  const ssize_t most = allowed(kWrite, fd, size);
  const ssize_t done = most < 0 ? -1 : syscall(SYS_write, fd, bytes, most);
  note_write(fd, bytes, -1, done);
  return done;
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  const ssize_t most = allowed(kWrite, fd, size);
  const ssize_t done = most < 0 ? -1 : syscall(SYS_pwrite64, fd, bytes, most, offset);
  note_write(fd, bytes, offset, done);
  return done;
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off_t offset) ALSO(pwrite);
// Part by part, which the caller may not rely on.
ssize_t writev(int fd, const struct iovec* parts, int count) {
  ssize_t whole = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t done = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (done < 0) return whole > 0 ? whole : -1;
    whole += done;
    if (done < (ssize_t)parts[i].iov_len) break;
  }
  return whole;
}

// The bytes that the system copied are read back for the record.
static void note_copy(int fd, long done) {
  struct stat info;
  if (done <= 0 || !recorded(fd, &info)) return;
  char* bytes = __libc_malloc((size_t)done);
  const off_t end = syscall(SYS_lseek, fd, 0, SEEK_CUR);
  if (!bytes || syscall(SYS_pread64, fd, bytes, done, end - done) != done) abort();
  note_write(fd, bytes, end - done, done);
  free(bytes);
}
ssize_t copy_file_range(int from, off_t* in, int to, off_t* out, size_t size, unsigned flags) {
  const ssize_t most = allowed(kCopy, to, size);
  const ssize_t done = most < 0 ? -1 : syscall(SYS_copy_file_range, from, in, to, out, most, flags);
  note_copy(to, done);
  return done;
}
ssize_t sendfile(int to, int from, off_t* in, size_t size) {
  const ssize_t most = allowed(kCopy, to, size);
  const ssize_t done = most < 0 ? -1 : syscall(SYS_sendfile, to, from, in, most);
  note_copy(to, done);
  return done;
}
ssize_t sendfile64(int to, int from, off_t* in, size_t size) ALSO(sendfile);
int ftruncate(int fd, off_t size) {
  if (fails(kTruncate, fd)) return -1;
  const int result = (int)syscall(SYS_ftruncate, fd, size);
  char text[32];
  snprintf(text, sizeof text, "%ld", (long)size);
  if (result == 0) note_inode("truncate", fd, text);
  return result;
}
int ftruncate64(int fd, off_t size) ALSO(ftruncate);
void* mmap(void* at, size_t size, int access, int flags, int fd, off_t offset) {
  if (fails(kMap, fd)) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, at, size, access, flags, fd, offset);
}
void* mmap64(void* at, size_t size, int access, int flags, int fd, off_t offset) ALSO(mmap);
void* mremap(void* old, size_t old_size, size_t size, int flags, ...) {
  if (fails(kMap, -1)) return MAP_FAILED;
  return (void*)syscall(SYS_mremap, old, old_size, size, flags, NULL);
}
int fsync(int fd) {
  if (fails(kSync, fd)) return -1;
  const int result = (int)syscall(SYS_fsync, fd);
  if (result == 0) note_sync(fd);
  return result;
}
int fdatasync(int fd) ALSO(fsync);

static int renamed(const char* from, const char* to, unsigned flags) {
  if (fails(kRename, -1)) return -1;
  const int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
  if (result == 0) note_paths(flags & RENAME_EXCHANGE ? "exchange" : "rename", from, to);
  return result;
}
int rename(const char* from, const char* to) {
  return renamed(from, to, 0);
}
// Of the current folder only, as all callers have it.
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  (void)from_folder, (void)to_folder;
  return renamed(from, to, flags);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (fails(kLink, -1)) return -1;
  const int result = (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
  if (result == 0 && record >= 0) {
    const int fd = (int)syscall(SYS_openat, to_folder, to, O_PATH | O_CLOEXEC);
    note_inode("name", fd, to);
    syscall(SYS_close, fd);
  }
  return result;
}
int link(const char* from, const char* to) {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char* path) {
  const int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (result == 0) note_paths("remove", path, NULL);
  return result;
}

// ---- processes and threads

int clone(int (*run)(void*), void* stack, int flags, void* argument, ...) {
  if (fails(kProcess, -1)) return -1;
  int (*call)(int (*)(void*), void*, int, void*, ...) =
      (int (*)(int (*)(void*), void*, int, void*, ...))next("clone");
  return call(run, stack, flags, argument);
}
pid_t fork(void) {
  if (fails(kProcess, -1)) return -1;
  pid_t (*call)(void) = (pid_t(*)(void))next("fork");
  return call();
}
int pthread_create(pthread_t* thread, const pthread_attr_t* form, void* (*run)(void*),
                   void* given) {
  if (fails(kThread, -1)) return errno;
  int (*call)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) =
      (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))next("pthread_create");
  return call(thread, form, run, given);
}
