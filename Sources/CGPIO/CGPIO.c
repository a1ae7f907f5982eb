#include "CGPIO.h"

#include <gpiod.h>

// Only the first interface has bulks of lines.
#ifdef GPIOD_LINE_BULK_MAX_LINES
const int32_t cgpio_generation = 1;
const char *cgpio_version(void) { return gpiod_version_string(); }
#else
const int32_t cgpio_generation = 2;
const char *cgpio_version(void) { return gpiod_api_version(); }
#endif
