#define _GNU_SOURCE
#include "CALSA.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void quiet(const char *file, int line, const char *function, int error, const char *format,
                  ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

void calsa_silence_errors(void) { snd_lib_error_set_handler(quiet); }

const char *calsa_version(void) { return snd_asoundlib_version(); }

int32_t calsa_knows(const char *name) {
  snd_config_t *top, *names, *found;
  if (snd_config_update_ref(&top) < 0) return 0;
  const int32_t knows = snd_config_search(top, "pcm", &names) == 0 &&
                        snd_config_search(names, name, &found) == 0;
  snd_config_unref(top);
  return knows;
}

int32_t calsa_card_number(snd_pcm_t *_Nullable pcm) {
  snd_pcm_info_t *info;
  snd_pcm_info_alloca(&info);
  return pcm != NULL && snd_pcm_info(pcm, info) == 0 ? snd_pcm_info_get_card(info) : -1;
}

int32_t calsa_is_hdmi(snd_pcm_t *_Nullable pcm) {
  snd_pcm_info_t *info;
  snd_pcm_info_alloca(&info);
  return pcm != NULL && snd_pcm_info(pcm, info) == 0 &&
         (strcasestr(snd_pcm_info_get_id(info), "hdmi") != NULL ||
          strcasestr(snd_pcm_info_get_name(info), "hdmi") != NULL);
}

int32_t calsa_may_use(const char *path) {
  return faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int64_t calsa_boot_time(void) { return now(CLOCK_BOOTTIME); }
int64_t calsa_monotonic(void) { return now(CLOCK_MONOTONIC); }

int32_t calsa_event_make(void) {
  int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

void calsa_event_signal(int32_t descriptor) {
  const uint64_t one = 1;
  // It fails only when the counter is full, and then it is readable anyhow.
  if (write(descriptor, &one, sizeof one) < 0) return;
}

void calsa_event_clear(int32_t descriptor) {
  uint64_t count;
  if (read(descriptor, &count, sizeof count) < 0) return;
}

int32_t calsa_timer_make(void) {
  int descriptor = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

void calsa_timer_set(int32_t descriptor, int64_t boot_time_ns) {
  struct itimerspec setting = {0};
  if (boot_time_ns > 0) {
    setting.it_value.tv_sec = boot_time_ns / 1000000000;
    setting.it_value.tv_nsec = boot_time_ns % 1000000000;
  }
  timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &setting, NULL);
}

void calsa_wait(int32_t event, int32_t timer) {
  struct pollfd both[2] = {{.fd = event, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
  poll(both, 2, -1);
}

void calsa_close(int32_t descriptor) { close(descriptor); }

struct start {
  void (*body)(void *);
  void *argument;
  // As long as the kernel keeps it.
  char name[16];
};

static void *begin(void *raw) {
  struct start start = *(struct start *)raw;
  free(raw);
  // By itself, so that it has its name from its first instruction.
  pthread_setname_np(pthread_self(), start.name);
  start.body(start.argument);
  return NULL;
}

int32_t calsa_thread_start(uint64_t *thread, const char *name, void (*body)(void *),
                           void *argument) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  start->body = body;
  start->argument = argument;
  snprintf(start->name, sizeof start->name, "%s", name);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t made;
  int error = pthread_create(&made, NULL, begin, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error != 0) {
    free(start);
    return error;
  }
  *thread = (uint64_t)made;
  return 0;
}

int32_t calsa_thread_join(uint64_t thread, int64_t timeout_ns) {
  const int64_t end = now(CLOCK_MONOTONIC) + timeout_ns;
  const struct timespec time = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
  return pthread_clockjoin_np((pthread_t)thread, NULL, CLOCK_MONOTONIC, &time);
}

void calsa_thread_leave(uint64_t thread) { pthread_detach((pthread_t)thread); }

void calsa_request_real_time(int32_t priority) {
  const struct sched_param parameter = {.sched_priority = priority};
  pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter);
  // Only what is mapped now, and only as it is touched: with future mappings included, a limit on
  // locked memory would make later allocations of the whole process fail.
  mlockall(MCL_CURRENT | MCL_ONFAULT);
}
