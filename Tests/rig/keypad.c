// keypad NAME: a keypad with NAME that types what standard input says, and goes when it ends.
//
// Each line is `MILLISECONDS KEY VALUE`: so long after the line before, the key goes down (1) or up
// (0). The kernel repeats a key that is held, as it does for every keyboard that asks it to. `made`
// is printed once the keypad is there.

#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const struct {
  const char *name;
  int code;
} keys[] = {
    {"KEY_UP", KEY_UP},       {"KEY_DOWN", KEY_DOWN}, {"KEY_LEFT", KEY_LEFT},
    {"KEY_RIGHT", KEY_RIGHT}, {"KEY_OK", KEY_OK},     {"KEY_BACK", KEY_BACK},
    {"KEY_PLAYPAUSE", KEY_PLAYPAUSE},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static void fail(const char *what) {
  fprintf(stderr, "keypad: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int make(const char *name) {
  int device = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
  if (device < 0) fail("/dev/uinput");
  if (ioctl(device, UI_SET_EVBIT, EV_KEY) < 0 || ioctl(device, UI_SET_EVBIT, EV_REP) < 0)
    fail("UI_SET_EVBIT");
  for (int index = 0; index < KEY_COUNT; index++) {
    if (ioctl(device, UI_SET_KEYBIT, keys[index].code) < 0) fail("UI_SET_KEYBIT");
  }
  struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL, .vendor = 1, .product = 1}};
  snprintf(setup.name, sizeof setup.name, "%s", name);
  if (ioctl(device, UI_DEV_SETUP, &setup) < 0) fail("UI_DEV_SETUP");
  if (ioctl(device, UI_DEV_CREATE) < 0) fail("UI_DEV_CREATE");
  return device;
}

static int code_of(const char *name) {
  for (int index = 0; index < KEY_COUNT; index++) {
    if (strcmp(keys[index].name, name) == 0) return keys[index].code;
  }
  return -1;
}

static void type(int device, int code, int value) {
  struct input_event events[] = {
      {.type = EV_KEY, .code = code, .value = value},
      {.type = EV_SYN, .code = SYN_REPORT},
  };
  if (write(device, events, sizeof events) != sizeof events) fail("write");
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: keypad NAME <KEYS\n");
    return 64;
  }
  int device = make(arguments[1]);
  printf("made\n");
  fflush(stdout);

  long milliseconds;
  char name[32];
  int value, fields;
  while ((fields = scanf("%ld %31s %d", &milliseconds, name, &value)) == 3) {
    int code = code_of(name);
    if (milliseconds < 0 || code < 0 || value < 0 || value > 1) break;
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&span, &span) < 0 && errno == EINTR) continue;
    type(device, code, value);
  }
  if (fields != EOF) {
    fprintf(stderr, "keypad: expected MILLISECONDS KEY VALUE\n");
    return 65;
  }
  return 0;
}
