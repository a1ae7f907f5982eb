// Input devices without a kernel's input devices.
//
// The tests' program takes the place of `ioctl` and `read` for named pipes `DIR/input/eventN` that
// have a description `DIR/about/eventN`; everything else goes to the kernel as it is. libevdev and
// our code on it run whole. What is written into the pipe are the device's events, and when its
// writer closes it the device is unplugged (ENODEV).
//
// A description has a line each:
//   name TEXT   the device's name
//   key N       it has this key
//   rel N       it has this relative axis
//   down N      this key is down now
//   busy        a grab is refused
//   failing     every question is refused (EIO)
// What was asked of the device is kept in `DIR/about/eventN.asked`, a line each: `grab`, `clock N`.
#ifndef EVDEV_STAND_IN_H
#define EVDEV_STAND_IN_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// Writes one event as the kernel does, with a stamp of CLOCK_MONOTONIC. Whether it went in.
int32_t standin_write(int32_t pipe, uint16_t kind, uint16_t code, int32_t value,
                      int64_t monotonic_ns);
// Opens files as another user from now on, on this thread alone; gives the one before.
uint32_t standin_set_file_user(uint32_t user);

#pragma clang assume_nonnull end

#endif
