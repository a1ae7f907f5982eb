// Loaded before the C library, it lies about the disk or makes it worse, as SHIM says:
//
// SHIM=folders    the fsync of a folder reports success and does nothing
// SHIM=renamed    the second fsync of one file reports success and does nothing
// SHIM=names      both of these
// SHIM=all        every fsync does so
// SHIM=in place   a rename over a file empties that file and fills it anew
// SHIM=short N    the Nth write to an ordinary file takes half of its bytes, and says so
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// By descriptor: the file that was synchronised once since it was opened.
static ino_t synced[1024];

static mode_t kind(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

static int is_second(int descriptor) {
  struct stat status;
  if (descriptor < 0 || descriptor >= 1024 || fstat(descriptor, &status) != 0) return 0;
  int is_second = synced[descriptor] == status.st_ino;
  synced[descriptor] = is_second ? 0 : status.st_ino;
  return is_second;
}

int fsync(int descriptor) {
  static int (*next)(int);
  if (next == NULL) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  const char *lie = getenv("SHIM");
  if (lie == NULL) return next(descriptor);
  if (strcmp(lie, "all") == 0) return 0;
  int is_names = strcmp(lie, "names") == 0;
  if ((is_names || strcmp(lie, "folders") == 0) && kind(descriptor) == S_IFDIR) return 0;
  if ((is_names || strcmp(lie, "renamed") == 0) && kind(descriptor) == S_IFREG &&
      is_second(descriptor))
    return 0;
  return next(descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  static ssize_t (*next)(int, const void *, size_t);
  static atomic_int count;
  if (next == NULL) next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  const char *lie = getenv("SHIM");
  if (lie != NULL && strncmp(lie, "short ", 6) == 0 && kind(descriptor) == S_IFREG &&
      atomic_fetch_add(&count, 1) + 1 == atoi(lie + 6))
    length = length / 2;
  return next(descriptor, bytes, length);
}

int renameat(int folder, const char *name, int new_folder, const char *new_name) {
  static int (*next)(int, const char *, int, const char *);
  if (next == NULL)
    next = (int (*)(int, const char *, int, const char *))dlsym(RTLD_NEXT, "renameat");
  const char *lie = getenv("SHIM");
  int to = lie != NULL && strcmp(lie, "in place") == 0
               ? openat(new_folder, new_name, O_WRONLY | O_TRUNC | O_CLOEXEC)
               : -1;
  if (to < 0) return next(folder, name, new_folder, new_name);
  int from = openat(folder, name, O_RDONLY | O_CLOEXEC);
  char bytes[4096];
  ssize_t count;
  while ((count = read(from, bytes, sizeof bytes)) > 0)
    if (write(to, bytes, (size_t)count) != count) return -1;
  close(from);
  close(to);
  return unlinkat(folder, name, 0);
}
