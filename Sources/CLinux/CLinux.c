#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// Makes a call until no signal interrupts it, and gives its value or the negated errno.
#define RETRY(call)                              \
  ({                                             \
    __typeof__(call) value_;                     \
    do value_ = (call);                          \
    while (value_ < 0 && errno == EINTR);        \
    value_ < 0 ? (__typeof__(call))-errno : value_; \
  })

const int32_t clinux_eacces = EACCES, clinux_eaddrinuse = EADDRINUSE, clinux_eagain = EAGAIN,
              clinux_ebadf = EBADF, clinux_ebusy = EBUSY, clinux_ecanceled = ECANCELED,
              clinux_econnrefused = ECONNREFUSED, clinux_econnreset = ECONNRESET,
              clinux_edquot = EDQUOT, clinux_eexist = EEXIST, clinux_efault = EFAULT,
              clinux_efbig = EFBIG, clinux_eintr = EINTR, clinux_einval = EINVAL, clinux_eio = EIO,
              clinux_eisdir = EISDIR, clinux_eloop = ELOOP, clinux_emfile = EMFILE,
              clinux_emlink = EMLINK, clinux_enametoolong = ENAMETOOLONG, clinux_enodev = ENODEV,
              clinux_enoent = ENOENT, clinux_enomem = ENOMEM, clinux_enospc = ENOSPC,
              clinux_enosys = ENOSYS, clinux_enotdir = ENOTDIR, clinux_enotempty = ENOTEMPTY,
              clinux_enotsup = ENOTSUP, clinux_enxio = ENXIO, clinux_eperm = EPERM,
              clinux_epipe = EPIPE, clinux_erofs = EROFS, clinux_estale = ESTALE,
              clinux_etimedout = ETIMEDOUT, clinux_etxtbsy = ETXTBSY, clinux_exdev = EXDEV;

void clinux_error_text(int32_t number, char *text, size_t capacity) {
  // The GNU form may give a text of its own instead of filling the buffer.
  char buffer[128];
  snprintf(text, capacity, "%s", strerror_r(number, buffer, sizeof buffer));
}

const int32_t clinux_at_working = AT_FDCWD;
const int32_t clinux_o_rdonly = O_RDONLY, clinux_o_wronly = O_WRONLY, clinux_o_rdwr = O_RDWR,
              clinux_o_creat = O_CREAT, clinux_o_excl = O_EXCL, clinux_o_trunc = O_TRUNC,
              clinux_o_append = O_APPEND, clinux_o_nofollow = O_NOFOLLOW,
              clinux_o_directory = O_DIRECTORY, clinux_o_nonblock = O_NONBLOCK;

int32_t clinux_open(int32_t folder, const char *path, int32_t flags, uint32_t mode) {
  return RETRY(openat(folder, path, flags | O_CLOEXEC | O_NOCTTY, (mode_t)mode));
}

int32_t clinux_close(int32_t descriptor) {
  // Linux has closed the descriptor even when a signal came: a second close could hit another's.
  if (close(descriptor) == 0 || errno == EINTR) return 0;
  return -errno;
}

int64_t clinux_read(int32_t descriptor, void *bytes, size_t count) {
  return RETRY(read(descriptor, bytes, count));
}

int64_t clinux_write(int32_t descriptor, const void *bytes, size_t count) {
  return RETRY(write(descriptor, bytes, count));
}

int32_t clinux_set_nonblocking(int32_t descriptor) {
  int flags = RETRY(fcntl(descriptor, F_GETFL));
  return flags < 0 ? flags : RETRY(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK));
}

int32_t clinux_poll(int32_t descriptor, int32_t for_writing, int32_t timeout_ms) {
  struct pollfd one = {.fd = descriptor, .events = for_writing ? POLLOUT : POLLIN};
  int64_t end = clinux_monotonic() + (int64_t)timeout_ms * 1000000;
  for (;;) {
    int ready = poll(&one, 1, timeout_ms);
    if (ready >= 0) return ready > 0;
    if (errno != EINTR) return -errno;
    if (timeout_ms < 0) continue;
    int64_t left = end - clinux_monotonic();
    timeout_ms = left > 0 ? (int32_t)((left + 999999) / 1000000) : 0;
  }
}

static void fill_status(const struct stat *found, struct clinux_status *status) {
  status->kind = S_ISREG(found->st_mode)    ? 0
                 : S_ISDIR(found->st_mode)  ? 1
                 : S_ISLNK(found->st_mode)  ? 2
                 : S_ISSOCK(found->st_mode) ? 3
                                            : 4;
  status->mode = found->st_mode & 07777;
  status->owner = found->st_uid;
  status->group = found->st_gid;
  status->size = found->st_size;
  status->inode = found->st_ino;
  status->device = found->st_dev;
  status->modified_ns = (int64_t)found->st_mtim.tv_sec * 1000000000 + found->st_mtim.tv_nsec;
}

int32_t clinux_status(int32_t descriptor, struct clinux_status *status) {
  struct stat found;
  int result = RETRY(fstat(descriptor, &found));
  if (result == 0) fill_status(&found, status);
  return result;
}

int32_t clinux_status_at(int32_t folder, const char *path, int32_t follows,
                         struct clinux_status *status) {
  struct stat found;
  int result = RETRY(fstatat(folder, path, &found, follows ? 0 : AT_SYMLINK_NOFOLLOW));
  if (result == 0) fill_status(&found, status);
  return result;
}

int32_t clinux_fsync(int32_t descriptor) { return fsync(descriptor) < 0 ? -errno : 0; }

int32_t clinux_drop_cache(int32_t descriptor) {
  return -posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
}

int32_t clinux_set_owner(int32_t descriptor, uint32_t owner, uint32_t group) {
  return RETRY(fchown(descriptor, owner, group));
}

int32_t clinux_set_mode(int32_t descriptor, uint32_t mode) {
  return RETRY(fchmod(descriptor, (mode_t)mode));
}

int32_t clinux_truncate(int32_t descriptor, int64_t size) {
  return RETRY(ftruncate(descriptor, size));
}

int32_t clinux_allocate(int32_t descriptor, int64_t size) {
  int error;
  do error = posix_fallocate(descriptor, 0, size);
  while (error == EINTR);
  return -error;
}

int32_t clinux_lock(int32_t descriptor, int32_t waits) {
  return RETRY(flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB));
}

int32_t clinux_rename(int32_t from_folder, const char *from, int32_t to_folder, const char *to) {
  return RETRY(renameat(from_folder, from, to_folder, to));
}

int32_t clinux_link(int32_t from_folder, const char *from, int32_t to_folder, const char *to) {
  return RETRY(linkat(from_folder, from, to_folder, to, 0));
}

int32_t clinux_unlink(int32_t folder, const char *path, int32_t is_folder) {
  return RETRY(unlinkat(folder, path, is_folder ? AT_REMOVEDIR : 0));
}

int32_t clinux_make_folder(int32_t folder, const char *path, uint32_t mode) {
  return RETRY(mkdirat(folder, path, (mode_t)mode));
}

int64_t clinux_read_link(const char *path, char *target, size_t capacity) {
  return RETRY(readlink(path, target, capacity));
}

int32_t clinux_file_system(int32_t descriptor, uint64_t *type, uint64_t *free_bytes) {
  struct statfs found;
  int result = RETRY(fstatfs(descriptor, &found));
  if (result < 0) return result;
  *type = (uint64_t)found.f_type & 0xffffffff;
  *free_bytes = (uint64_t)found.f_bavail * (uint64_t)found.f_bsize;
  return 0;
}

void *clinux_list_open(int32_t descriptor, int32_t *error) {
  // A descriptor of its own: fdopendir takes the one it gets, and its place in the list.
  int own = RETRY(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (own < 0) {
    *error = own;
    return NULL;
  }
  DIR *list = fdopendir(own);
  if (list == NULL) {
    *error = -errno;
    close(own);
  }
  return list;
}

int32_t clinux_list_next(void *list, char *name, size_t capacity) {
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(list);
    if (entry == NULL) return -errno;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    size_t length = strlen(entry->d_name);
    if (length >= capacity) return -ENAMETOOLONG;
    memcpy(name, entry->d_name, length + 1);
    return (int32_t)length;
  }
}

void clinux_list_close(void *list) { closedir(list); }

int64_t clinux_random(void *bytes, size_t count) { return RETRY(getrandom(bytes, count, 0)); }

int32_t clinux_host_name(char *name, size_t capacity) {
  if (gethostname(name, capacity) < 0) return -errno;
  name[capacity - 1] = 0;
  return 0;
}

const char *clinux_environment(const char *name) { return getenv(name); }

uint32_t clinux_user(void) { return geteuid(); }

int32_t clinux_process(void) { return getpid(); }

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  // It cannot fail for a clock that the kernel has, and these three are as old as the oldest
  // kernel we run on.
  if (clock_gettime(clock, &now) != 0) abort();
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clinux_boot_time(void) { return clock_ns(CLOCK_BOOTTIME); }

int64_t clinux_monotonic(void) { return clock_ns(CLOCK_MONOTONIC); }

int64_t clinux_wall(void) { return clock_ns(CLOCK_REALTIME); }

int64_t clinux_wall_error_us(void) {
  struct timex state = {.modes = 0};
  return adjtimex(&state) < 0 ? -errno : state.maxerror;
}
