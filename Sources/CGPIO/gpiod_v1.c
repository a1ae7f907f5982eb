// libgpiod 1.6: one descriptor and one queue of 16 edges a line; nothing counts the edges.
#include <gpiod.h>
#ifdef GPIOD_LINE_BULK_MAX_LINES

#include <errno.h>
#include <fcntl.h>

#include "CGPIO.h"

// Absent in the other library: so the program can start with the wrong one, and say so.
#pragma weak gpiod_version_string

#define CONSUMER "timerbox"
#define LIMIT 2
#define BATCH 16  // What the kernel queues for a line, and the most that the library reads at once.

const int32_t cgpio_generation = 1, cgpio_batch_limit = BATCH;

int32_t cgpio_loaded_generation(void) { return gpiod_version_string != NULL ? 1 : 2; }

const char *cgpio_version(void) {
  return gpiod_version_string != NULL ? gpiod_version_string() : "unknown";
}

struct cgpio_chip {
  struct gpiod_chip *chip;
  int users;  // The opener and each request: closing the library's chip would release its lines.
};

struct cgpio_request {
  struct cgpio_chip *chip;
  int count;
  struct {
    struct gpiod_line *line;
    uint32_t bits;
  } lines[LIMIT];
};

struct cgpio_chip *cgpio_chip_open(const char *path, int32_t *error) {
  struct gpiod_chip *opened = gpiod_chip_open(path);
  if (opened == NULL) {
    *error = -errno;
    return NULL;
  }
  // The chip's own calls are in either interface of the kernel; a line's are in the first alone.
  int has_lines = gpiod_chip_get_line(opened, 0) != NULL || (errno != EINVAL && errno != ENOTTY);
  struct cgpio_chip *chip = has_lines ? calloc(1, sizeof *chip) : NULL;
  if (chip == NULL) {
    *error = has_lines ? -ENOMEM : -EOPNOTSUPP;
    gpiod_chip_close(opened);
    return NULL;
  }
  *chip = (struct cgpio_chip){.chip = opened, .users = 1};
  return chip;
}

void cgpio_chip_close(struct cgpio_chip *chip) {
  if (--chip->users > 0) return;
  gpiod_chip_close(chip->chip);
  free(chip);
}

const char *cgpio_chip_name(struct cgpio_chip *chip) { return gpiod_chip_name(chip->chip); }
const char *cgpio_chip_label(struct cgpio_chip *chip) { return gpiod_chip_label(chip->chip); }
uint32_t cgpio_chip_line_count(struct cgpio_chip *chip) { return gpiod_chip_num_lines(chip->chip); }

int32_t cgpio_line_look(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line *line) {
  struct gpiod_line *found = gpiod_chip_get_line(chip->chip, offset);
  // The library remembers what it was told when it first met the line.
  if (found == NULL || gpiod_line_update(found) < 0) return -errno;
  *line = (struct cgpio_line){.name = gpiod_line_name(found),
                              .consumer = gpiod_line_consumer(found),
                              .is_used = gpiod_line_is_used(found),
                              .is_output =
                                  gpiod_line_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT};
  return 0;
}

// Takes one line. Bias, polarity and edges go in one request: asked for one after the other, the
// later request would undo the earlier.
static int32_t take(struct gpiod_line *line, uint32_t bits) {
  int flags = (bits & cgpio_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0) |
              (bits & cgpio_pull_up ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP : 0) |
              (bits & cgpio_pull_down ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN : 0) |
              (bits & cgpio_bias_disabled ? GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE : 0);
  struct gpiod_line_request_config config = {
      .consumer = CONSUMER,
      .request_type = bits & cgpio_output       ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT
                      : bits & cgpio_both_edges ? GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES
                                                : GPIOD_LINE_REQUEST_DIRECTION_INPUT,
      .flags = flags};
  if (gpiod_line_request(line, &config, 0) < 0) return -errno;
  if (!(bits & cgpio_both_edges)) return 0;
  int descriptor = gpiod_line_event_get_fd(line);
  int status = fcntl(descriptor, F_GETFL);
  if (status >= 0 && fcntl(descriptor, F_SETFL, status | O_NONBLOCK) >= 0) return 0;
  int32_t error = -errno;
  gpiod_line_release(line);
  return error;
}

struct cgpio_request *cgpio_request_lines(struct cgpio_chip *chip, const struct cgpio_wish *wishes,
                                          int32_t count, int32_t *error) {
  struct cgpio_request *request = calloc(1, sizeof *request);
  *error = request == NULL ? -ENOMEM : count < 1 || count > LIMIT ? -EINVAL : 0;
  for (int index = 0; index < count && *error == 0; index++) {
    struct gpiod_line *line = gpiod_chip_get_line(chip->chip, wishes[index].offset);
    *error = line == NULL ? -errno : take(line, wishes[index].bits);
    if (*error != 0) break;
    request->lines[request->count].line = line;
    request->lines[request->count++].bits = wishes[index].bits;
  }
  if (*error == 0) {
    request->chip = chip;
    chip->users++;
    return request;
  }
  for (int index = 0; request != NULL && index < request->count; index++)
    gpiod_line_release(request->lines[index].line);
  free(request);
  return NULL;
}

void cgpio_request_release(struct cgpio_request *request) {
  for (int index = 0; index < request->count; index++)
    if (request->lines[index].line != NULL) gpiod_line_release(request->lines[index].line);
  cgpio_chip_close(request->chip);
  free(request);
}

int32_t cgpio_request_descriptor(struct cgpio_request *request, int32_t index) {
  if (!(request->lines[index].bits & cgpio_both_edges)) return -1;
  return gpiod_line_event_get_fd(request->lines[index].line);
}

int32_t cgpio_request_read(struct cgpio_request *request, int32_t index, struct cgpio_edge *edges) {
  struct gpiod_line_event found[BATCH];
  int descriptor = cgpio_request_descriptor(request, index);
  int count = gpiod_line_event_read_fd_multiple(descriptor, found, BATCH);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  for (int place = 0; place < count; place++)
    edges[place] = (struct cgpio_edge){
        .monotonic_ns = (int64_t)found[place].ts.tv_sec * 1000000000 + found[place].ts.tv_nsec,
        .index = index,
        .is_active = found[place].event_type == GPIOD_LINE_EVENT_RISING_EDGE};
  return count;
}

int32_t cgpio_request_levels(struct cgpio_request *request, uint32_t *active) {
  *active = 0;
  for (int index = 0; index < request->count; index++) {
    int value = gpiod_line_get_value(request->lines[index].line);
    if (value < 0) return -errno;
    *active |= (uint32_t)value << index;
  }
  return 0;
}

int32_t cgpio_request_set_edges(struct cgpio_request *request, uint32_t lines) {
  for (int index = 0; index < request->count; index++) {
    uint32_t wanted = lines & 1u << index ? cgpio_both_edges : 0;
    uint32_t bits = request->lines[index].bits;
    if ((bits & cgpio_both_edges) == wanted) continue;
    // This interface changes no edges of a line that is taken.
    struct gpiod_line *line = request->lines[index].line;
    gpiod_line_release(line);
    request->lines[index].line = NULL;
    request->lines[index].bits = (bits & ~cgpio_both_edges) | wanted;
    int32_t result = take(line, request->lines[index].bits);
    if (result < 0) return result;
    request->lines[index].line = line;
  }
  return 0;
}

int32_t cgpio_request_set_active(struct cgpio_request *request, int32_t is_active) {
  return gpiod_line_set_value(request->lines[0].line, is_active) < 0 ? -errno : 0;
}

#endif
