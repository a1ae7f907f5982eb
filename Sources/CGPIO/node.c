#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CGPIO.h"

static const char *user_name(uid_t user) {
  static char number[16];
  const struct passwd *found = getpwuid(user);
  if (found != NULL) return found->pw_name;
  snprintf(number, sizeof number, "%u", (unsigned)user);
  return number;
}

static const char *group_name(gid_t group) {
  static char number[16];
  const struct group *found = getgrgid(group);
  if (found != NULL) return found->gr_name;
  snprintf(number, sizeof number, "%u", (unsigned)group);
  return number;
}

int32_t cgpio_node_look(const char *path, struct cgpio_node *node) {
  struct stat found;
  if (stat(path, &found) < 0) return -errno;
  *node = (struct cgpio_node){.file_system = found.st_dev,
                              .inode = found.st_ino,
                              .mode = found.st_mode & 07777,
                              .owner = user_name(found.st_uid),
                              .group = group_name(found.st_gid)};
  return 0;
}

const char *cgpio_user(void) { return user_name(geteuid()); }
