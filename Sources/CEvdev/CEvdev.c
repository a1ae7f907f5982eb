#include "CEvdev.h"

#include <errno.h>
#include <grp.h>
#include <libevdev-1.0/libevdev/libevdev.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

const int32_t cevdev_key = EV_KEY, cevdev_axis = EV_REL;

// Keys that libevdev 1.13 does not find: the second name of a number, and the newest names of the
// kernel.
#define NAMED(key) {#key, key}
static const struct {
  const char *name;
  int32_t code;
} other_keys[] = {
    NAMED(KEY_BRIGHTNESS_TOGGLE), NAMED(KEY_BRIGHTNESS_ZERO), NAMED(KEY_DASHBOARD),
    NAMED(KEY_DIRECTION), NAMED(KEY_HANGUEL), NAMED(KEY_LINK_PHONE),
    NAMED(KEY_REFRESH_RATE_TOGGLE), NAMED(KEY_SCREEN), NAMED(KEY_SCREENLOCK), NAMED(KEY_WIMAX),
    NAMED(KEY_ZOOM)};

static int32_t other_key(const char *name) {
  for (size_t index = 0; index < sizeof other_keys / sizeof *other_keys; index++)
    if (strcmp(other_keys[index].name, name) == 0) return other_keys[index].code;
  return -1;
}

int32_t cevdev_code(const char *name) {
  int32_t code = libevdev_event_code_from_code_name(name);
  return code >= 0 ? code : other_key(name);
}

int32_t cevdev_kind(const char *name) {
  int32_t kind = libevdev_event_type_from_code_name(name);
  return kind < 0 && other_key(name) >= 0 ? EV_KEY : kind;
}

struct device {
  struct libevdev *evdev;
  int is_syncing;
};

void *cevdev_open(int32_t descriptor, int32_t *error) {
  // Without it the library writes to our standard error.
  libevdev_set_log_function(NULL, NULL);
  struct device *device = calloc(1, sizeof *device);
  if (device == NULL) {
    *error = -ENOMEM;
    return NULL;
  }
  *error = libevdev_new_from_fd(descriptor, &device->evdev);
  if (*error == 0) *error = libevdev_set_clock_id(device->evdev, CLOCK_MONOTONIC);
  if (*error == 0) return device;
  libevdev_free(device->evdev);
  free(device);
  return NULL;
}

void cevdev_close(void *pointer) {
  struct device *device = pointer;
  libevdev_free(device->evdev);
  free(device);
}

const char *cevdev_name(void *device) {
  return libevdev_get_name(((struct device *)device)->evdev);
}

int32_t cevdev_has(void *device, int32_t kind, int32_t code) {
  return libevdev_has_event_code(((struct device *)device)->evdev, (unsigned)kind, (unsigned)code);
}

int32_t cevdev_is_down(void *device, int32_t key) {
  return libevdev_get_event_value(((struct device *)device)->evdev, EV_KEY, (unsigned)key) != 0;
}

int32_t cevdev_grab(void *device) {
  return libevdev_grab(((struct device *)device)->evdev, LIBEVDEV_GRAB);
}

int32_t cevdev_next(void *pointer, struct cevdev_event *event) {
  struct device *device = pointer;
  for (;;) {
    struct input_event found;
    unsigned flag = device->is_syncing ? LIBEVDEV_READ_FLAG_SYNC : LIBEVDEV_READ_FLAG_NORMAL;
    int result = libevdev_next_event(device->evdev, flag, &found);
    if (result == -EINTR) continue;
    if (result == -EAGAIN && !device->is_syncing) return 0;
    if (result == -EAGAIN) {
      // All differences were told: what comes next are events again.
      device->is_syncing = 0;
      continue;
    }
    if (result < 0) return result;
    if (result == LIBEVDEV_READ_STATUS_SYNC && !device->is_syncing) {
      // SYN_DROPPED: the kernel's queue ran over.
      device->is_syncing = 1;
      continue;
    }
    event->kind = found.type;
    event->code = found.code;
    event->value = found.value;
    event->is_resynced = result == LIBEVDEV_READ_STATUS_SYNC;
    event->monotonic_ns =
        (int64_t)found.input_event_sec * 1000000000 + (int64_t)found.input_event_usec * 1000;
    return 1;
  }
}

int32_t cevdev_owner(const char *path, uint32_t *mode, char *owner, char *group, size_t capacity) {
  struct stat status;
  if (stat(path, &status) < 0) return -errno;
  *mode = status.st_mode & 07777;
  snprintf(owner, capacity, "%u", status.st_uid);
  snprintf(group, capacity, "%u", status.st_gid);
  char text[1024];
  struct passwd user, *found_user = NULL;
  if (getpwuid_r(status.st_uid, &user, text, sizeof text, &found_user) == 0 && found_user)
    snprintf(owner, capacity, "%s", user.pw_name);
  struct group entry, *found_group = NULL;
  if (getgrgid_r(status.st_gid, &entry, text, sizeof text, &found_group) == 0 && found_group)
    snprintf(group, capacity, "%s", entry.gr_name);
  return 0;
}

static int32_t value_or_error(int value) { return value < 0 ? -errno : value; }

int32_t cevdev_gathering(void) { return value_or_error(epoll_create1(EPOLL_CLOEXEC)); }

int32_t cevdev_gather(int32_t gathering, int32_t descriptor) {
  struct epoll_event event = {.events = EPOLLIN};
  return value_or_error(epoll_ctl(gathering, EPOLL_CTL_ADD, descriptor, &event));
}

int32_t cevdev_timer(void) {
  return value_or_error(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK));
}

int32_t cevdev_timer_arm(int32_t timer, int64_t deadline_ns) {
  struct itimerspec setting = {
      .it_value = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000}};
  return value_or_error(timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL));
}

int32_t cevdev_watch(void) { return value_or_error(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)); }

int32_t cevdev_watch_folder(int32_t watch, const char *path) {
  const uint32_t mask =
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR;
  return value_or_error(inotify_add_watch(watch, path, mask));
}

int32_t cevdev_watch_drain(int32_t watch, const char *name) {
  int32_t is_news = 0;
  _Alignas(struct inotify_event) char buffer[4096];
  for (;;) {
    ssize_t length = read(watch, buffer, sizeof buffer);
    if (length <= 0) return is_news;
    for (char *next = buffer; next < buffer + length;) {
      const struct inotify_event *event = (const struct inotify_event *)next;
      next += sizeof *event + event->len;
      if (event->mask & IN_Q_OVERFLOW) is_news = 1;
      if (event->len == 0) continue;
      if (strncmp(event->name, "event", 5) == 0 || strcmp(event->name, name) == 0) is_news = 1;
    }
  }
}
