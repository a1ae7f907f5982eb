// disk LOG FOLDER BYTES: a file system with two files, for watching a block device.
//
// `image` is a disk of BYTES: a loop device, or another kernel, may stand on it. Each write to it
// and each flush goes into LOG as it comes. What is written to `said` goes into the same log, so
// that it is known what had been promised before which write. One thread serves all, so the log's
// order is the order of things.
//
// A record of LOG is a kind (W, F or S), an offset and a length of 8 bytes each, and the bytes.
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int logging;
static char *image;
static off_t image_bytes;

static int is_image(const char *path) { return strcmp(path, "/image") == 0; }
static int is_said(const char *path) { return strcmp(path, "/said") == 0; }

static void put(const void *bytes, size_t length) {
  const char *rest = bytes;
  while (length > 0) {
    ssize_t count = write(logging, rest, length);
    if (count < 0) {
      if (errno == EINTR) continue;
      // A log with a hole proves nothing.
      perror("disk: the log");
      exit(1);
    }
    rest += count;
    length -= (size_t)count;
  }
}

static void record(char kind, uint64_t offset, const void *bytes, uint64_t length) {
  char head[17];
  head[0] = kind;
  memcpy(head + 1, &offset, 8);
  memcpy(head + 9, &length, 8);
  put(head, sizeof head);
  put(bytes, length);
}

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *file) {
  (void)file;
  memset(status, 0, sizeof *status);
  status->st_nlink = 1;
  if (strcmp(path, "/") == 0) {
    status->st_mode = S_IFDIR | 0755;
    return 0;
  }
  if (!is_image(path) && !is_said(path)) return -ENOENT;
  status->st_mode = S_IFREG | 0644;
  status->st_size = is_image(path) ? image_bytes : 0;
  status->st_blocks = status->st_size / 512;
  return 0;
}

static int list(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                struct fuse_file_info *file, enum fuse_readdir_flags flags) {
  (void)path, (void)offset, (void)file, (void)flags;
  fill(buffer, "image", NULL, 0, 0);
  fill(buffer, "said", NULL, 0, 0);
  return 0;
}

static int open_file(const char *path, struct fuse_file_info *file) {
  if (!is_image(path) && !is_said(path)) return -ENOENT;
  // Nothing may wait in a cache of this machine.
  file->direct_io = 1;
  return 0;
}

static int read_file(const char *path, char *buffer, size_t length, off_t offset,
                     struct fuse_file_info *file) {
  (void)file;
  if (!is_image(path) || offset >= image_bytes) return 0;
  if (offset + (off_t)length > image_bytes) length = (size_t)(image_bytes - offset);
  memcpy(buffer, image + offset, length);
  return (int)length;
}

static int write_file(const char *path, const char *bytes, size_t length, off_t offset,
                      struct fuse_file_info *file) {
  (void)file;
  if (is_said(path)) {
    record('S', 0, bytes, length);
    return (int)length;
  }
  if (offset + (off_t)length > image_bytes) return -ENOSPC;
  memcpy(image + offset, bytes, length);
  record('W', (uint64_t)offset, bytes, length);
  return (int)length;
}

static int flush_disk(const char *path, int data_only, struct fuse_file_info *file) {
  (void)data_only, (void)file;
  if (is_image(path)) record('F', 0, NULL, 0);
  return 0;
}

static int truncate_file(const char *path, off_t length, struct fuse_file_info *file) {
  (void)length, (void)file;
  return is_said(path) ? 0 : -EPERM;
}

static const struct fuse_operations operations = {
    .getattr = get_attributes,
    .readdir = list,
    .open = open_file,
    .read = read_file,
    .write = write_file,
    .fsync = flush_disk,
    .truncate = truncate_file,
};

int main(int count, char **words) {
  if (count != 4) {
    fputs("usage: disk LOG FOLDER BYTES\n", stderr);
    return 64;
  }
  logging = open(words[1], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  image_bytes = atoll(words[3]);
  image = calloc(1, (size_t)image_bytes);
  if (logging < 0 || image == NULL) {
    perror("disk");
    return 74;
  }
  char *arguments[] = {words[0], "-f", "-s", words[2], NULL};
  return fuse_main(4, arguments, &operations, NULL);
}
