#define _GNU_SOURCE
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHIPS_MAX 16
#define QUEUE_MAX 1024

struct queue {
  struct edge edges[QUEUE_MAX];
  int first, count, capacity, drops_oldest;
  int pipe[2];  // Holds a byte while there are edges; the writer is closed when the chip goes.
  uint32_t number;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct chip chips[CHIPS_MAX];
static int chip_count;
static FILE *script;
static char folder[512];
static int64_t latest_ns;  // of all stamps
static struct edge late_edge;
static struct queue *late_queue;  // Null: no edge is late.

void standin_log(const char *format, ...) {
  const char *path = getenv("TIMERBOX_STANDIN_LOG");
  if (path == NULL) return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  text[length] = '\n';
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || write(file, text, (size_t)length + 1) < 0) abort();
  close(file);
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Queues.

int kernel_queue_make(int capacity, int drops_oldest, struct queue **queue) {
  struct queue *made = calloc(1, sizeof *made);
  if (made == NULL) return -ENOMEM;
  made->capacity = capacity;
  made->drops_oldest = drops_oldest;
  if (pipe2(made->pipe, O_CLOEXEC) < 0) abort();
  *queue = made;
  return 0;
}

void kernel_queue_close(struct queue *queue) {
  pthread_mutex_lock(&mutex);
  close(queue->pipe[0]);
  if (queue->pipe[1] >= 0) close(queue->pipe[1]);
  free(queue);
  pthread_mutex_unlock(&mutex);
}

int kernel_queue_descriptor(struct queue *queue) { return queue->pipe[0]; }

static void put(struct queue *queue, struct edge edge) {
  if (queue->count == queue->capacity) {
    if (!queue->drops_oldest) return;
    queue->first = (queue->first + 1) % QUEUE_MAX;
    queue->count--;
  }
  queue->edges[(queue->first + queue->count++) % QUEUE_MAX] = edge;
  if (queue->count == 1 && write(queue->pipe[1], "", 1) < 0) abort();
}

int kernel_read(struct queue *queue, struct edge *edges, int count) {
  // A read that could wait would stop the whole box.
  if (!(fcntl(queue->pipe[0], F_GETFL) & O_NONBLOCK)) abort();
  pthread_mutex_lock(&mutex);
  int done = queue->pipe[1] < 0 ? -ENODEV : queue->count == 0 ? -EAGAIN : 0;
  for (; done >= 0 && done < count && queue->count > 0; done++) {
    edges[done] = queue->edges[queue->first];
    queue->first = (queue->first + 1) % QUEUE_MAX;
    char byte;
    if (--queue->count == 0 && read(queue->pipe[0], &byte, 1) < 0) abort();
  }
  pthread_mutex_unlock(&mutex);
  return done;
}

// Chips and lines.

int kernel_open(const char *path, struct chip **chip) {
  char real[512];
  const char *name = realpath(path, real) == NULL ? NULL : strrchr(real, '/');
  if (name == NULL) return -errno;
  for (int index = 0; index < chip_count; index++) {
    if (strcmp(chips[index].name, name + 1) != 0) continue;
    if (chips[index].is_denied) return -EACCES;
    if (chips[index].is_away) return -ENODEV;
    snprintf(folder, sizeof folder, "%.*s", (int)(name - real), real);
    *chip = &chips[index];
    standin_log("open %s", chips[index].name);
    return 0;
  }
  return -ENOTTY;
}

static void log_ask(const char *call, struct chip *chip, unsigned offset, struct ask ask) {
  standin_log("%s %s %u %s %s%s%s for %s", call, chip->name, offset,
              ask.is_output ? "output" : "input", ask.bias,
              ask.is_active_low ? " active-low" : "", ask.has_edges ? " both-edges" : "",
              ask.consumer);
}

int kernel_take(struct chip *chip, unsigned offset, struct ask ask, struct queue *queue,
                int no_interrupts) {
  if (offset >= chip->line_count) return -EINVAL;
  struct line *line = &chip->lines[offset];
  log_ask("request", chip, offset, ask);
  pthread_mutex_lock(&mutex);
  int result = chip->is_away                     ? -ENODEV
               : line->is_busy || line->is_taken ? -EBUSY
               : ask.has_edges && line->is_dumb  ? -no_interrupts
                                                 : 0;
  if (result == 0) {
    line->is_taken = 1;
    line->ask = ask;
    line->queue = queue;
    snprintf(line->consumer, sizeof line->consumer, "%s", ask.consumer);
    if (ask.is_output) line->is_high = ask.is_active_low;
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

void kernel_change(struct chip *chip, unsigned offset, struct ask ask) {
  log_ask("change", chip, offset, ask);
  pthread_mutex_lock(&mutex);
  chip->lines[offset].ask = ask;
  pthread_mutex_unlock(&mutex);
}

void kernel_release(struct chip *chip, unsigned offset) {
  struct line *line = &chip->lines[offset];
  pthread_mutex_lock(&mutex);
  line->is_taken = 0;
  line->ask = (struct ask){0};
  line->queue = NULL;
  line->number = 0;
  line->consumer[0] = 0;
  pthread_mutex_unlock(&mutex);
  standin_log("release %s %u", chip->name, offset);
}

int kernel_level(struct chip *chip, unsigned offset) {
  if (chip->is_away) return -ENODEV;
  return chip->lines[offset].is_high ^ chip->lines[offset].ask.is_active_low;
}

int kernel_drive(struct chip *chip, unsigned offset, int is_active) {
  if (chip->is_away) return -ENODEV;
  if (chip->lines[offset].is_stuck) return -EIO;
  chip->lines[offset].is_high = is_active ^ chip->lines[offset].ask.is_active_low;
  standin_log("drive %s %u %d", chip->name, offset, is_active);
  return 0;
}

enum { LOST, QUEUED, LATE };

static void change(struct chip *chip, unsigned offset, int is_high, int64_t ns, int fate) {
  struct line *line = &chip->lines[offset];
  line->is_high = is_high;
  if (ns > latest_ns) latest_ns = ns;
  if (!line->ask.has_edges || line->queue == NULL) return;
  struct edge edge = {.ns = ns,
                      .offset = offset,
                      .is_rising = is_high ^ line->ask.is_active_low,
                      .line_number = ++line->number,
                      .edge_number = ++line->queue->number};
  if (fate == QUEUED) put(line->queue, edge);
  if (fate != LATE) return;
  late_edge = edge;
  late_queue = line->queue;
}

static void set_away(struct chip *chip, int is_away) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", folder, chip->name);
  chip->is_away = is_away;
  if (!is_away) {
    close(open(path, O_WRONLY | O_CREAT, 0600));
    return;
  }
  unlink(path);
  for (unsigned offset = 0; offset < chip->line_count; offset++) {
    struct queue *queue = chip->lines[offset].queue;
    if (queue == NULL || queue->pipe[1] < 0) continue;
    close(queue->pipe[1]);
    queue->pipe[1] = -1;
  }
}

// The script.

struct flutter {
  struct chip *chip;
  unsigned offset;
  int hertz;
  int64_t due;
};

static void *run_flutter(void *argument) {
  struct flutter *flutter = argument;
  for (int is_high = 0;; is_high = !is_high) {
    flutter->due += 1000000000 / flutter->hertz;
    struct timespec until = {.tv_sec = flutter->due / 1000000000,
                             .tv_nsec = flutter->due % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    pthread_mutex_lock(&mutex);
    change(flutter->chip, flutter->offset, is_high, flutter->due, QUEUED);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void begin_flutter(struct chip *chip, unsigned offset, int hertz, int64_t zero) {
  struct flutter *flutter = malloc(sizeof *flutter);
  if (flutter == NULL) abort();
  *flutter = (struct flutter){.chip = chip, .offset = offset, .hertz = hertz, .due = zero};
  pthread_t thread;
  // Signals are the program's own business, also those that it blocks later.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, NULL, run_flutter, flutter) != 0) abort();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static struct chip *add_chip(const char *text) {
  struct chip *chip = &chips[chip_count++];
  if (sscanf(text, "chip %31s %31s %u", chip->name, chip->label, &chip->line_count) != 3) abort();
  for (unsigned offset = 0; offset < chip->line_count; offset++) chip->lines[offset].is_high = 1;
  return chip;
}

static void burst(struct chip *chip, unsigned offset, int count, int64_t ns) {
  for (int index = 0; index < count; index++)
    change(chip, offset, !chip->lines[offset].is_high, ns + index * INT64_C(100000), QUEUED);
}

// One statement; 0 if it is `go`.
static int play(struct chip **chip, char *text, int64_t zero) {
  unsigned offset = 0;
  int us = 0, value = 0;
  char rest[32];
  if (strncmp(text, "chip ", 5) == 0) *chip = add_chip(text);
  else if (strcmp(text, "away") == 0) (*chip)->is_away = 1;
  else if (strcmp(text, "denied") == 0) (*chip)->is_denied = 1;
  else if (strcmp(text, "second") == 0) (*chip)->is_second_only = 1;
  else if (strcmp(text, "unplug") == 0) set_away(*chip, 1);
  else if (strcmp(text, "plug") == 0) set_away(*chip, 0);
  else if (sscanf(text, "line %u %31s", &offset, rest) == 2)
    strcpy((*chip)->lines[offset].name, rest);
  else if (sscanf(text, "busy %u %31[^\n]", &offset, rest) == 2) {
    (*chip)->lines[offset].is_busy = 1;
    strcpy((*chip)->lines[offset].consumer, rest);
  } else if (sscanf(text, "free %u", &offset) == 1) (*chip)->lines[offset].is_busy = 0;
  else if (sscanf(text, "dumb %u", &offset) == 1) (*chip)->lines[offset].is_dumb = 1;
  else if (sscanf(text, "stuck %u", &offset) == 1) (*chip)->lines[offset].is_stuck = 1;
  else if (sscanf(text, "low %u", &offset) == 1) (*chip)->lines[offset].is_high = 0;
  else if (sscanf(text, "edge %d %u %d", &us, &offset, &value) == 3)
    change(*chip, offset, value, zero + us * INT64_C(1000), QUEUED);
  else if (sscanf(text, "late %d %u %d", &us, &offset, &value) == 3)
    change(*chip, offset, value, zero + us * INT64_C(1000), LATE);
  else if (sscanf(text, "level %u %d", &offset, &value) == 2)
    (*chip)->lines[offset].is_high = value;
  else if (sscanf(text, "lose %u %d", &offset, &value) == 2)
    while (value-- > 0) change(*chip, offset, !(*chip)->lines[offset].is_high, zero, LOST);
  else if (sscanf(text, "burst %d %u %d", &us, &offset, &value) == 3)
    burst(*chip, offset, value, zero + us * INT64_C(1000));
  else if (sscanf(text, "flutter %u %d %d", &offset, &value, &us) >= 2)
    begin_flutter(*chip, offset, value, zero + us * INT64_C(1000));
  else if (strcmp(text, "go") == 0) return 0;
  else {
    fprintf(stderr, "stand-in: what is \"%s\"?\n", text);
    abort();
  }
  return 1;
}

void standin_go(void) {
  static struct chip *chip;
  static char text[256];
  pthread_mutex_lock(&mutex);
  int64_t zero = now_ns();
  if (late_queue != NULL) put(late_queue, late_edge);
  late_queue = NULL;
  while (script != NULL && fgets(text, sizeof text, script) != NULL) {
    text[strcspn(text, "\n")] = 0;
    if (text[0] != 0 && !play(&chip, text, zero)) break;
  }
  // No reader sees an edge before its time.
  struct timespec until = {.tv_sec = latest_ns / 1000000000, .tv_nsec = latest_ns % 1000000000};
  pthread_mutex_unlock(&mutex);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("TIMERBOX_STANDIN");
  if (path != NULL && (script = fopen(path, "re")) == NULL) abort();
  standin_go();
}
