// The first interface: a queue of 16 a line that drops the newest, and nothing counts.
#include <errno.h>
#include <gpiod.h>

#include "kernel.h"

struct gpiod_line {
  struct chip *chip;
  unsigned offset;
  struct queue *queue;  // Only with edges.
  int is_requested;
};

struct gpiod_chip {
  struct chip *chip;
  struct gpiod_line lines[LINES_MAX];
};

static struct gpiod_line *by_descriptor[1024];

static int result(int value) {
  if (value >= 0) return value;
  errno = -value;
  return -1;
}

const char *gpiod_version_string(void) { return "1.6.3"; }

struct gpiod_chip *gpiod_chip_open(const char *path) {
  struct chip *found;
  if (result(kernel_open(path, &found)) < 0) return NULL;
  struct gpiod_chip *chip = calloc(1, sizeof *chip);
  if (chip == NULL) abort();
  chip->chip = found;
  for (unsigned offset = 0; offset < LINES_MAX; offset++)
    chip->lines[offset] = (struct gpiod_line){.chip = found, .offset = offset};
  return chip;
}

void gpiod_line_release(struct gpiod_line *line) {
  if (!line->is_requested) return;
  kernel_release(line->chip, line->offset);
  if (line->queue != NULL) kernel_queue_close(line->queue);
  line->queue = NULL;
  line->is_requested = 0;
}

void gpiod_chip_close(struct gpiod_chip *chip) {
  // As the library does: a chip that is closed takes its lines with it.
  for (unsigned offset = 0; offset < LINES_MAX; offset++) gpiod_line_release(&chip->lines[offset]);
  standin_log("close %s", chip->chip->name);
  free(chip);
}

const char *gpiod_chip_name(struct gpiod_chip *chip) { return chip->chip->name; }
const char *gpiod_chip_label(struct gpiod_chip *chip) { return chip->chip->label; }
unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return chip->chip->line_count; }

struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset) {
  if (offset < chip->chip->line_count && !chip->chip->is_second_only) return &chip->lines[offset];
  errno = EINVAL;
  return NULL;
}

static struct line *of(struct gpiod_line *line) { return &line->chip->lines[line->offset]; }

static const char *unless_empty(const char *text) { return text[0] == 0 ? NULL : text; }

int gpiod_line_update(struct gpiod_line *line) {
  return line->chip->is_away ? result(-ENODEV) : 0;
}

const char *gpiod_line_name(struct gpiod_line *line) { return unless_empty(of(line)->name); }

const char *gpiod_line_consumer(struct gpiod_line *line) {
  return unless_empty(of(line)->consumer);
}

bool gpiod_line_is_used(struct gpiod_line *line) { return of(line)->is_busy || of(line)->is_taken; }

int gpiod_line_direction(struct gpiod_line *line) {
  return of(line)->ask.is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT;
}

int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *config,
                       int default_value) {
  int type = config->request_type, flags = config->flags;
  struct ask ask = {.is_output = type == GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
                    .has_edges = type == GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
                    .is_active_low = (flags & GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW) != 0,
                    .bias = flags & GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP     ? "pull-up"
                            : flags & GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN ? "pull-down"
                            : flags & GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE   ? "disabled"
                                                                             : "as-is",
                    .consumer = config->consumer};
  if (default_value != 0) abort();
  struct queue *queue = NULL;
  if (ask.has_edges) kernel_queue_make(16, 0, &queue);
  int value = kernel_take(line->chip, line->offset, ask, queue, ENODEV);
  if (value < 0) {
    if (queue != NULL) kernel_queue_close(queue);
    return result(value);
  }
  line->queue = queue;
  line->is_requested = 1;
  return 0;
}

int gpiod_line_get_value(struct gpiod_line *line) {
  if (!line->is_requested) return result(-EPERM);
  return result(kernel_level(line->chip, line->offset));
}

int gpiod_line_set_value(struct gpiod_line *line, int value) {
  if (!line->is_requested || !of(line)->ask.is_output) return result(-EPERM);
  return result(kernel_drive(line->chip, line->offset, value));
}

int gpiod_line_event_get_fd(struct gpiod_line *line) {
  if (line->queue == NULL) return result(-EPERM);
  int descriptor = kernel_queue_descriptor(line->queue);
  by_descriptor[descriptor] = line;
  return descriptor;
}

int gpiod_line_event_read_fd_multiple(int descriptor, struct gpiod_line_event *events,
                                      unsigned int count) {
  struct edge edges[16];
  int done = kernel_read(by_descriptor[descriptor]->queue, edges, count < 16 ? (int)count : 16);
  for (int index = 0; index < done; index++) {
    events[index].ts.tv_sec = edges[index].ns / 1000000000;
    events[index].ts.tv_nsec = edges[index].ns % 1000000000;
    events[index].event_type =
        edges[index].is_rising ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE;
  }
  return result(done);
}
