// Either libgpiod, behind one set of functions.
#ifndef CGPIO_H
#define CGPIO_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// The version of the libgpiod that is running.
const char *cgpio_version(void);

// Which of its two interfaces it was built for: 1 or 2.
extern const int32_t cgpio_generation;

#pragma clang assume_nonnull end

#endif
