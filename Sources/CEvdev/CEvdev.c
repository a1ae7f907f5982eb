#include "CEvdev.h"

#include <libevdev-1.0/libevdev/libevdev.h>

int32_t cevdev_code(const char *name) { return libevdev_event_code_from_code_name(name); }
