/* The attempts of hostile code in an engine. Each attempt is one function that returns 1 if it got
 * out. The names of those that did are appended to the file $ESCAPES, in the folder of the outputs.
 * $OUTSIDE is a folder that the command line does not name, with the files `secret`, `old`, `gone`,
 * and the socket `door`; $INSIDE is the folder of the outputs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char* in_folder(const char* variable, const char* name) {
  static char paths[4][4096];
  static int next;
  char* path = paths[next++ & 3];
  snprintf(path, sizeof paths[0], "%s/%s", getenv(variable), name);
  return path;
}
#define OUTSIDE(name) in_folder("OUTSIDE", name)
#define INSIDE(name) in_folder("INSIDE", name)

static int opens(const char* path, int flags) {
  const int fd = open(path, flags, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
static int read_file(void) {
  return opens(OUTSIDE("secret"), O_RDONLY);
}
static int read_by_another_way(void) {
  char path[4200];
  snprintf(path, sizeof path, "/proc/self/root%s", OUTSIDE("secret"));
  return opens(path, O_RDONLY);
}
static int list_folder(void) {
  DIR* folder = opendir(getenv("OUTSIDE"));
  if (folder) closedir(folder);
  return folder != NULL;
}
static int make_file(void) {
  return opens(OUTSIDE("new"), O_WRONLY | O_CREAT | O_EXCL);
}
static int overwrite_file(void) {
  return opens(OUTSIDE("old"), O_WRONLY);
}
static int truncate_file(void) {
  return truncate(OUTSIDE("old"), 0) == 0;
}
static int remove_file(void) {
  return unlink(OUTSIDE("gone")) == 0;
}
static int take_file(void) {
  return rename(OUTSIDE("old"), INSIDE("taken")) == 0;
}
static int link_file(void) {
  return link(OUTSIDE("secret"), INSIDE("linked")) == 0;
}
static int read_through_link(void) {
  return symlink(OUTSIDE("secret"), INSIDE("pointer")) == 0 && opens(INSIDE("pointer"), O_RDONLY);
}
static int make_folder(void) {
  return mkdir(OUTSIDE("folder"), 0700) == 0;
}
static int has_mode(mode_t mode) {
  struct stat info;
  return stat(OUTSIDE("secret"), &info) == 0 && (info.st_mode & 0777) == mode;
}
static int change_mode(void) {
  chmod(OUTSIDE("secret"), 0777);
  return has_mode(0777);
}
static int change_mode_beside(void) {
  syscall(452 /* fchmodat2 */, AT_FDCWD, OUTSIDE("secret"), 0755, 0);
  return has_mode(0755);
}
static int change_owner(void) {
  return chown(OUTSIDE("secret"), getuid(), getgid()) == 0;
}
static int change_times(void) {
  return utimensat(AT_FDCWD, OUTSIDE("secret"), NULL, 0) == 0;
}
static int set_attribute(void) {
  return setxattr(OUTSIDE("secret"), "user.note", "x", 1, 0) == 0;
}
static int started(const char* path, char* const* argv) {
  pid_t pid;
  int status;
  if (posix_spawn(&pid, path, NULL, NULL, argv, environ) != 0) return 0;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
static int start_program(void) {
  char* argv[] = {"true", NULL};
  return started("/bin/true", argv);
}
static int start_shell(void) {
  char* argv[] = {"sh", "-c", "exit 0", NULL};
  return started("/bin/sh", argv);
}
static int start_from_memory(void) {
  char buffer[65536];
  const int program = memfd_create("program", 0), source = open("/bin/true", O_RDONLY);
  for (ssize_t got; source >= 0 && (got = read(source, buffer, sizeof buffer)) > 0;)
    if (write(program, buffer, (size_t)got) != got) return 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", program);
  char* argv[] = {"true", NULL};
  return source >= 0 && started(path, argv);
}
static int connect_by_ip(void) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
static int send_datagram(void) {
  const int fd = socket(AF_INET6, SOCK_DGRAM, 0);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
static int connect_to_service(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, OUTSIDE("door"), sizeof address.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  return fd >= 0 && connect(fd, (struct sockaddr*)&address, sizeof address) == 0;
}
static int use_ring(void) {
  struct io_uring_params parameters;
  memset(&parameters, 0, sizeof parameters);
  const long fd = syscall(425 /* io_uring_setup */, 4, &parameters);
  if (fd >= 0) close((int)fd);
  return fd >= 0;
}
static pid_t victim(void) {
  return (pid_t)atol(getenv("VICTIM"));
}
static int signal_process(void) {
  return kill(victim(), SIGCONT) == 0;
}
static int trace_process(void) {
  if (ptrace(PTRACE_SEIZE, victim(), 0, 0) != 0) return 0;
  return 1;
}
static int read_process(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", (int)victim());
  return opens(path, O_RDONLY);
}
static int read_memory(void) {
  char here;
  struct iovec to = {&here, 1}, from = {(void*)environ, 1};
  (void)from;
  from.iov_base = (void*)0x400000;
  return process_vm_readv(victim(), &to, 1, &from, 1, 0) == 1 || errno == EFAULT;
}
static int type_words(void) {
  /* On no terminal: refused calls fail before the kernel looks at the descriptor. */
  return ioctl(0, TIOCSTI, "x") == 0 || (errno != EACCES && errno != EPERM);
}
static int mount_folder(void) {
  return mount("none", getenv("INSIDE"), "tmpfs", 0, NULL) == 0 && umount(getenv("INSIDE")) == 0;
}
static int change_kernel(void) {
  return opens("/proc/sys/kernel/core_pattern", O_WRONLY);
}
static int leave_with_new_names(void) {
  return unshare(CLONE_NEWUSER) == 0;
}

static const struct {
  const char* name;
  int (*attempt)(void);
} kEscapes[] = {
    {"read a file", read_file},
    {"read a file by another way", read_by_another_way},
    {"list a folder", list_folder},
    {"make a file", make_file},
    {"overwrite a file", overwrite_file},
    {"truncate a file", truncate_file},
    {"remove a file", remove_file},
    {"take a file", take_file},
    {"link a file", link_file},
    {"read through a link", read_through_link},
    {"make a folder", make_folder},
    {"change a mode", change_mode},
    {"change a mode beside", change_mode_beside},
    {"change an owner", change_owner},
    {"change times", change_times},
    {"set an attribute", set_attribute},
    {"start a program", start_program},
    {"start a shell", start_shell},
    {"start a program from memory", start_from_memory},
    {"connect by IP", connect_by_ip},
    {"send a datagram", send_datagram},
    {"connect to a service", connect_to_service},
    {"use a ring", use_ring},
    {"signal a process", signal_process},
    {"trace a process", trace_process},
    {"read the environment of a process", read_process},
    {"read the memory of a process", read_memory},
    {"type words", type_words},
    {"mount a folder", mount_folder},
    {"change the kernel", change_kernel},
    {"leave with new names", leave_with_new_names},
};

static void try_all(void) {
  FILE* report = fopen(getenv("ESCAPES"), "a");
  if (!report) return;
  fprintf(report, "tried %zu\n", sizeof kEscapes / sizeof kEscapes[0]);
  for (size_t i = 0; i < sizeof kEscapes / sizeof kEscapes[0]; ++i)
    if (kEscapes[i].attempt()) fprintf(report, "%s\n", kEscapes[i].name);
  fclose(report);
}
