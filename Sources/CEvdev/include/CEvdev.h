// libevdev as InputDevices needs it.
#ifndef CEVDEV_H
#define CEVDEV_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// The number of a key or axis by the kernel's name of it (`KEY_UP`, `REL_DIAL`); -1 if there is
// none.
int32_t cevdev_code(const char *name);

#pragma clang assume_nonnull end

#endif
