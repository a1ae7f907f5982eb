// libgpiod 2: one descriptor and one queue a request, and every edge is counted.
#include <gpiod.h>
#ifndef GPIOD_LINE_BULK_MAX_LINES

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "CGPIO.h"

// Absent in the other library: so the program can start with the wrong one, and say so.
#pragma weak gpiod_api_version

#define CONSUMER "timerbox"
#define LIMIT 2
#define BATCH 256  // Edges that the kernel queues for a request, and that we read at once.

const int32_t cgpio_generation = 2, cgpio_batch_limit = BATCH;

int32_t cgpio_loaded_generation(void) { return gpiod_api_version != NULL ? 2 : 1; }

const char *cgpio_version(void) {
  return gpiod_api_version != NULL ? gpiod_api_version() : "unknown";
}

struct cgpio_chip {
  struct gpiod_chip *chip;
  struct gpiod_chip_info *info;
  struct gpiod_line_info *line;  // The one last looked at, or null.
  int users;                     // The opener and each request.
};

struct cgpio_request {
  struct cgpio_chip *chip;
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *buffer;
  int count;
  struct cgpio_wish lines[LIMIT];
};

struct cgpio_chip *cgpio_chip_open(const char *path, int32_t *error) {
  struct cgpio_chip *chip = calloc(1, sizeof *chip);
  if (chip != NULL) chip->chip = gpiod_chip_open(path);
  if (chip != NULL && chip->chip != NULL) chip->info = gpiod_chip_get_info(chip->chip);
  if (chip == NULL || chip->info == NULL) {
    *error = chip == NULL ? -ENOMEM : -errno;
    if (chip != NULL && chip->chip != NULL) gpiod_chip_close(chip->chip);
    free(chip);
    return NULL;
  }
  chip->users = 1;
  return chip;
}

void cgpio_chip_close(struct cgpio_chip *chip) {
  if (--chip->users > 0) return;
  if (chip->line != NULL) gpiod_line_info_free(chip->line);
  gpiod_chip_info_free(chip->info);
  gpiod_chip_close(chip->chip);
  free(chip);
}

const char *cgpio_chip_name(struct cgpio_chip *chip) {
  return gpiod_chip_info_get_name(chip->info);
}

const char *cgpio_chip_label(struct cgpio_chip *chip) {
  return gpiod_chip_info_get_label(chip->info);
}

uint32_t cgpio_chip_line_count(struct cgpio_chip *chip) {
  return (uint32_t)gpiod_chip_info_get_num_lines(chip->info);
}

int32_t cgpio_line_look(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line *line) {
  struct gpiod_line_info *found = gpiod_chip_get_line_info(chip->chip, offset);
  if (found == NULL) return -errno;
  if (chip->line != NULL) gpiod_line_info_free(chip->line);
  chip->line = found;
  *line = (struct cgpio_line){.name = gpiod_line_info_get_name(found),
                              .consumer = gpiod_line_info_get_consumer(found),
                              .is_used = gpiod_line_info_is_used(found),
                              .is_output = gpiod_line_info_get_direction(found) ==
                                           GPIOD_LINE_DIRECTION_OUTPUT};
  return 0;
}

static int add(struct gpiod_line_config *config, const struct cgpio_wish *wish) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings == NULL) return -1;
  enum gpiod_line_bias bias = wish->bits & cgpio_pull_up         ? GPIOD_LINE_BIAS_PULL_UP
                              : wish->bits & cgpio_pull_down     ? GPIOD_LINE_BIAS_PULL_DOWN
                              : wish->bits & cgpio_bias_disabled ? GPIOD_LINE_BIAS_DISABLED
                                                                 : GPIOD_LINE_BIAS_AS_IS;
  int is_output = (wish->bits & cgpio_output) != 0;
  enum gpiod_line_edge edge =
      wish->bits & cgpio_both_edges ? GPIOD_LINE_EDGE_BOTH : GPIOD_LINE_EDGE_NONE;
  int result = gpiod_line_settings_set_direction(
      settings, is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT);
  if (result == 0) result = gpiod_line_settings_set_bias(settings, bias);
  if (result == 0) result = gpiod_line_settings_set_edge_detection(settings, edge);
  // The clock of every stamp that we take; and no debouncing, which moves stamps.
  if (result == 0)
    result = gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
  gpiod_line_settings_set_debounce_period_us(settings, 0);
  gpiod_line_settings_set_active_low(settings, (wish->bits & cgpio_active_low) != 0);
  if (result == 0 && is_output)
    result = gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
  if (result == 0) result = gpiod_line_config_add_line_settings(config, &wish->offset, 1, settings);
  int error = errno;
  gpiod_line_settings_free(settings);
  errno = error;
  return result;
}

// One for each request and freed after it: a configuration that is added to again and again grows
// without bound before libgpiod 2.2.2.
static struct gpiod_line_config *configuration(const struct cgpio_wish *wishes, int count) {
  struct gpiod_line_config *config = gpiod_line_config_new();
  for (int index = 0; config != NULL && index < count; index++) {
    if (add(config, &wishes[index]) == 0) continue;
    int error = errno;
    gpiod_line_config_free(config);
    errno = error;
    return NULL;
  }
  return config;
}

// Takes the lines, or leaves the request empty and gives a negated errno.
static int32_t take(struct cgpio_request *request) {
  struct gpiod_line_config *lines = configuration(request->lines, request->count);
  struct gpiod_request_config *config = lines == NULL ? NULL : gpiod_request_config_new();
  if (config != NULL) {
    gpiod_request_config_set_consumer(config, CONSUMER);
    gpiod_request_config_set_event_buffer_size(config, BATCH);
    request->request = gpiod_chip_request_lines(request->chip->chip, config, lines);
  }
  int32_t error = request->request != NULL ? 0 : -errno;
  if (config != NULL) gpiod_request_config_free(config);
  if (lines != NULL) gpiod_line_config_free(lines);
  if (error != 0) return error;
  int descriptor = gpiod_line_request_get_fd(request->request);
  int status = fcntl(descriptor, F_GETFL);
  if (status >= 0 && fcntl(descriptor, F_SETFL, status | O_NONBLOCK) >= 0) return 0;
  error = -errno;
  gpiod_line_request_release(request->request);
  return error;
}

struct cgpio_request *cgpio_request_lines(struct cgpio_chip *chip, const struct cgpio_wish *wishes,
                                          int32_t count, int32_t *error) {
  struct cgpio_request *request = calloc(1, sizeof *request);
  *error = request == NULL ? -ENOMEM : count < 1 || count > LIMIT ? -EINVAL : 0;
  if (*error == 0) {
    request->chip = chip;
    request->count = count;
    for (int index = 0; index < count; index++) request->lines[index] = wishes[index];
    request->buffer = gpiod_edge_event_buffer_new(BATCH);
    *error = request->buffer == NULL ? -errno : take(request);
  }
  if (*error == 0) {
    chip->users++;
    return request;
  }
  if (request != NULL && request->buffer != NULL) gpiod_edge_event_buffer_free(request->buffer);
  free(request);
  return NULL;
}

void cgpio_request_release(struct cgpio_request *request) {
  gpiod_line_request_release(request->request);
  gpiod_edge_event_buffer_free(request->buffer);
  cgpio_chip_close(request->chip);
  free(request);
}

int32_t cgpio_request_descriptor(struct cgpio_request *request, int32_t index) {
  if (!(request->lines[index].bits & cgpio_both_edges)) return -1;
  return gpiod_line_request_get_fd(request->request);
}

static int32_t place(const struct cgpio_request *request, uint32_t offset) {
  int32_t index = 0;
  while (index < request->count - 1 && request->lines[index].offset != offset) index++;
  return index;
}

int32_t cgpio_request_read(struct cgpio_request *request, int32_t index, struct cgpio_edge *edges) {
  (void)index;
  int count = gpiod_line_request_read_edge_events(request->request, request->buffer, BATCH);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  for (int number = 0; number < count; number++) {
    struct gpiod_edge_event *event =
        gpiod_edge_event_buffer_get_event(request->buffer, (unsigned long)number);
    edges[number] = (struct cgpio_edge){
        .monotonic_ns = (int64_t)gpiod_edge_event_get_timestamp_ns(event),
        .index = place(request, gpiod_edge_event_get_line_offset(event)),
        .is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
        .line_number = (uint32_t)gpiod_edge_event_get_line_seqno(event),
        .edge_number = (uint32_t)gpiod_edge_event_get_global_seqno(event)};
  }
  return count;
}

int32_t cgpio_request_levels(struct cgpio_request *request, uint32_t *active) {
  unsigned offsets[LIMIT];
  enum gpiod_line_value values[LIMIT];
  for (int index = 0; index < request->count; index++)
    offsets[index] = request->lines[index].offset;
  // One call of the kernel, so that both contacts of a crown are of one instant.
  if (gpiod_line_request_get_values_subset(request->request, (size_t)request->count, offsets,
                                           values) < 0)
    return -errno;
  *active = 0;
  for (int index = 0; index < request->count; index++)
    *active |= (uint32_t)(values[index] == GPIOD_LINE_VALUE_ACTIVE) << index;
  return 0;
}

int32_t cgpio_request_set_edges(struct cgpio_request *request, uint32_t lines) {
  for (int index = 0; index < request->count; index++)
    request->lines[index].bits = (request->lines[index].bits & ~cgpio_both_edges) |
                                 (lines & 1u << index ? cgpio_both_edges : 0);
  struct gpiod_line_config *config = configuration(request->lines, request->count);
  if (config == NULL) return -errno;
  int result = gpiod_line_request_reconfigure_lines(request->request, config) < 0 ? -errno : 0;
  gpiod_line_config_free(config);
  return result;
}

int32_t cgpio_request_set_active(struct cgpio_request *request, int32_t is_active) {
  return gpiod_line_request_set_value(
             request->request, request->lines[0].offset,
             is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE) < 0
             ? -errno
             : 0;
}

#endif
