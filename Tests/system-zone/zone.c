#include "SystemZone.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char current[128];
// The C library's own goes with its zone; this copy is the caller's until its next call.
static _Thread_local char abbreviation[32];

struct tm system_zone_time(const char *zone, long long unix_seconds) {
  struct tm fields;
  time_t instant = (time_t)unix_seconds;
  pthread_mutex_lock(&mutex);
  if (strcmp(current, zone) != 0) {
    char value[sizeof current + 1];
    snprintf(current, sizeof current, "%s", zone);
    snprintf(value, sizeof value, ":%s", zone);
    setenv("TZ", value, 1);
    tzset();
  }
  localtime_r(&instant, &fields);
  snprintf(abbreviation, sizeof abbreviation, "%s", fields.tm_zone);
  fields.tm_zone = abbreviation;
  pthread_mutex_unlock(&mutex);
  return fields;
}
