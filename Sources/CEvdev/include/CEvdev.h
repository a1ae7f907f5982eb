// libevdev as InputDevices needs it, and the few calls of the kernel that go with it.
//
// A function that can fail gives its value (0 or more) or a negated errno. No header of libevdev or
// of the kernel is included here, so that nothing but these names reaches Swift.
#ifndef CEVDEV_H
#define CEVDEV_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// The kinds of event that matter (EV_KEY, EV_REL).
extern const int32_t cevdev_key, cevdev_axis;

// The number of a key or axis by any of the kernel's names of it (`KEY_UP`, `REL_DIAL`); -1 if
// there is none.
int32_t cevdev_code(const char *name);
// The kind of event that has this name; -1 if there is none.
int32_t cevdev_kind(const char *name);

// Looks at an open node, which does not block, and has it stamp with CLOCK_MONOTONIC. Null: no
// input device, or it has gone; `error` says why. The descriptor stays the caller's, and is open
// until after cevdev_close.
void *_Nullable cevdev_open(int32_t descriptor, int32_t *error);
void cevdev_close(void *device);
const char *cevdev_name(void *device);
int32_t cevdev_has(void *device, int32_t kind, int32_t code);
// Whether a key is down, as far as the events say that were taken.
int32_t cevdev_is_down(void *device, int32_t key);
// Takes the device for this program alone. It ends with the descriptor.
int32_t cevdev_grab(void *device);

struct cevdev_event {
  int32_t kind, code, value;
  int32_t is_resynced;  // not the kernel's event, but what differs after events were lost
  int64_t monotonic_ns;
};
// 1: the next event, of whatever kind. 0: there is none.
int32_t cevdev_next(void *device, struct cevdev_event *event);

// The permission bits of a file and the names of its owner and its group, or their numbers where
// they have no name. `capacity` is that of both.
int32_t cevdev_owner(const char *path, uint32_t *mode, char *owner, char *group, size_t capacity);

// A descriptor that is readable while one of the added ones is.
int32_t cevdev_gathering(void);
int32_t cevdev_gather(int32_t gathering, int32_t descriptor);
// A timer on CLOCK_BOOTTIME, readable from an instant on; 0 disarms.
int32_t cevdev_timer(void);
int32_t cevdev_timer_arm(int32_t timer, int64_t deadline_ns);
// Watches folders for nodes that appear, go or change their permissions.
int32_t cevdev_watch(void);
int32_t cevdev_watch_folder(int32_t watch, const char *path);
// Whether there was any news of an event node or of something with this name.
int32_t cevdev_watch_drain(int32_t watch, const char *name);

#pragma clang assume_nonnull end

#endif
