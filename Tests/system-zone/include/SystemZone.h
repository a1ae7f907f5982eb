// What the C library says of an instant in a zone of this machine, for tests.
#ifndef SYSTEM_ZONE_H
#define SYSTEM_ZONE_H

#include <time.h>

// Local time at an instant in Unix seconds; `zone` is a name such as Asia/Seoul. `TZ` is one for
// the process, so calls of all threads follow one another.
struct tm system_zone_time(const char *zone, long long unix_seconds);

#endif
