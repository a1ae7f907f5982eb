#define _GNU_SOURCE
#include "EvdevStandIn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int32_t standin_write(int32_t pipe, uint16_t kind, uint16_t code, int32_t value,
                      int64_t monotonic_ns) {
  struct input_event event = {.type = kind, .code = code, .value = value};
  event.input_event_sec = monotonic_ns / 1000000000;
  event.input_event_usec = monotonic_ns % 1000000000 / 1000;
  return write(pipe, &event, sizeof event) == sizeof event;
}

uint32_t standin_set_file_user(uint32_t user) { return (uint32_t)setfsuid(user); }

// The path of the description of a descriptor, and whether it is one of ours.
static int described(int descriptor, char *path, size_t capacity) {
  struct stat status;
  if (fstat(descriptor, &status) < 0 || !S_ISFIFO(status.st_mode)) return 0;
  char link[64], node[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, node, sizeof node - 1);
  if (length <= 0) return 0;
  node[length] = 0;
  // So the kernel calls a file whose name is gone.
  const char deleted[] = " (deleted)";
  size_t kept = (size_t)length - (sizeof deleted - 1);
  if ((size_t)length > sizeof deleted && strcmp(node + kept, deleted) == 0) node[kept] = 0;
  char *nodes = strstr(node, "/input/event");
  if (nodes == NULL) return 0;
  *nodes = 0;
  snprintf(path, capacity, "%s/about/%s", node, nodes + strlen("/input/"));
  return access(path, R_OK) == 0;
}

struct description {
  char name[256];
  unsigned char keys[KEY_CNT / 8 + 1], axes[REL_CNT / 8 + 1], down[KEY_CNT / 8 + 1];
  int is_busy, is_failing;
};

static void set(unsigned char *bits, int bit) { bits[bit / 8] |= (unsigned char)(1 << bit % 8); }

static void describe(const char *path, struct description *device) {
  memset(device, 0, sizeof *device);
  FILE *file = fopen(path, "r");
  char line[300];
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "name ", 5) == 0) snprintf(device->name, sizeof device->name, "%s", line + 5);
    if (strncmp(line, "key ", 4) == 0) set(device->keys, atoi(line + 4));
    if (strncmp(line, "rel ", 4) == 0) set(device->axes, atoi(line + 4));
    if (strncmp(line, "down ", 5) == 0) set(device->down, atoi(line + 5));
    if (strcmp(line, "busy") == 0) device->is_busy = 1;
    if (strcmp(line, "failing") == 0) device->is_failing = 1;
  }
  if (file != NULL) fclose(file);
}

static void note(const char *path, const char *text, int value) {
  char asked[600];
  snprintf(asked, sizeof asked, "%s.asked", path);
  FILE *file = fopen(asked, "a");
  if (file == NULL) return;
  fprintf(file, text, value);
  fclose(file);
}

static int answer(void *place, size_t room, const void *bytes, size_t count) {
  memset(place, 0, room);
  memcpy(place, bytes, count < room ? count : room);
  return (int)(count < room ? count : room);
}

static int fail(int number) {
  errno = number;
  return -1;
}

static int asked(const char *path, unsigned long request, void *argument) {
  struct description device;
  describe(path, &device);
  if (device.is_failing) return fail(EIO);
  size_t room = _IOC_SIZE(request);
  unsigned char kinds[4] = {0};
  set(kinds, EV_SYN);
  set(kinds, EV_KEY);
  set(kinds, EV_REL);
  switch (_IOC_NR(request)) {
    case _IOC_NR(EVIOCGVERSION): return answer(argument, room, &(int){0x010001}, sizeof(int));
    case _IOC_NR(EVIOCGID): return answer(argument, room, "", 1);
    case _IOC_NR(EVIOCGNAME(0)):
      return answer(argument, room, device.name, strlen(device.name) + 1);
    case _IOC_NR(EVIOCGPHYS(0)):
    case _IOC_NR(EVIOCGUNIQ(0)): return fail(ENOENT);
    case _IOC_NR(EVIOCGBIT(0, 0)): return answer(argument, room, kinds, sizeof kinds);
    case _IOC_NR(EVIOCGBIT(EV_KEY, 0)):
      return answer(argument, room, device.keys, sizeof device.keys);
    case _IOC_NR(EVIOCGBIT(EV_REL, 0)):
      return answer(argument, room, device.axes, sizeof device.axes);
    case _IOC_NR(EVIOCGKEY(0)): return answer(argument, room, device.down, sizeof device.down);
    case _IOC_NR(EVIOCGRAB):
      if (device.is_busy) return fail(EBUSY);
      note(path, "grab\n", 0);
      return 0;
    case _IOC_NR(EVIOCSCLOCKID):
      note(path, "clock %d\n", *(int *)argument);
      return 0;
    default: return answer(argument, room, "", 1);
  }
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  char path[560];
  if (_IOC_TYPE(request) == 'E' && described(descriptor, path, sizeof path))
    return asked(path, request, argument);
  return (int)syscall(SYS_ioctl, descriptor, request, argument);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  ssize_t result = syscall(SYS_read, descriptor, bytes, count);
  char path[560];
  if (result == 0 && count > 0 && described(descriptor, path, sizeof path)) return fail(ENODEV);
  return result;
}
