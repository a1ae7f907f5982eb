// The second interface: a queue a request that drops the oldest, and every edge is counted.
#include <errno.h>
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

struct gpiod_chip {
  struct chip *chip;
};
struct gpiod_chip_info {
  struct chip copy;
};
struct gpiod_line_info {
  struct line copy;
};
struct gpiod_line_settings {
  struct ask ask;
  unsigned long debounce_us;
  enum gpiod_line_clock clock;
};
struct gpiod_line_config {
  int count;
  unsigned offsets[LINES_MAX];
  struct gpiod_line_settings settings[LINES_MAX];
};
struct gpiod_request_config {
  char consumer[32];
  size_t buffer_size;
};
struct gpiod_line_request {
  struct chip *chip;
  struct queue *queue;
  int count;
  unsigned offsets[LINES_MAX];
};
struct gpiod_edge_event {
  struct edge edge;
};
struct gpiod_edge_event_buffer {
  size_t capacity;
  struct gpiod_edge_event events[1024];
};

static int result(int value) {
  if (value >= 0) return value;
  errno = -value;
  return -1;
}

static void *make(size_t size) {
  void *made = calloc(1, size);
  if (made == NULL) abort();
  return made;
}

const char *gpiod_api_version(void) { return "2.2.1"; }

struct gpiod_chip *gpiod_chip_open(const char *path) {
  struct chip *found;
  if (result(kernel_open(path, &found)) < 0) return NULL;
  struct gpiod_chip *chip = make(sizeof *chip);
  chip->chip = found;
  return chip;
}

void gpiod_chip_close(struct gpiod_chip *chip) {
  standin_log("close %s", chip->chip->name);
  free(chip);
}

struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip) {
  struct gpiod_chip_info *info = make(sizeof *info);
  info->copy = *chip->chip;
  return info;
}

void gpiod_chip_info_free(struct gpiod_chip_info *info) { free(info); }
const char *gpiod_chip_info_get_name(struct gpiod_chip_info *info) { return info->copy.name; }
const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info) { return info->copy.label; }
size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info) { return info->copy.line_count; }

struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset) {
  int error = offset >= chip->chip->line_count ? -EINVAL : chip->chip->is_away ? -ENODEV : 0;
  if (result(error) < 0) return NULL;
  struct gpiod_line_info *info = make(sizeof *info);
  info->copy = chip->chip->lines[offset];
  return info;
}

static const char *unless_empty(const char *text) { return text[0] == 0 ? NULL : text; }

void gpiod_line_info_free(struct gpiod_line_info *info) { free(info); }

const char *gpiod_line_info_get_name(struct gpiod_line_info *info) {
  return unless_empty(info->copy.name);
}

const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info) {
  return unless_empty(info->copy.consumer);
}

bool gpiod_line_info_is_used(struct gpiod_line_info *info) {
  return info->copy.is_busy || info->copy.is_taken;
}

enum gpiod_line_direction gpiod_line_info_get_direction(struct gpiod_line_info *info) {
  return info->copy.ask.is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT;
}

struct gpiod_line_settings *gpiod_line_settings_new(void) {
  struct gpiod_line_settings *settings = make(sizeof *settings);
  settings->ask.bias = "as-is";
  settings->clock = GPIOD_LINE_CLOCK_MONOTONIC;
  return settings;
}

void gpiod_line_settings_free(struct gpiod_line_settings *settings) { free(settings); }

int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings,
                                      enum gpiod_line_direction direction) {
  settings->ask.is_output = direction == GPIOD_LINE_DIRECTION_OUTPUT;
  return 0;
}

int gpiod_line_settings_set_edge_detection(struct gpiod_line_settings *settings,
                                           enum gpiod_line_edge edge) {
  settings->ask.has_edges = edge == GPIOD_LINE_EDGE_BOTH;
  return 0;
}

int gpiod_line_settings_set_bias(struct gpiod_line_settings *settings, enum gpiod_line_bias bias) {
  settings->ask.bias = bias == GPIOD_LINE_BIAS_PULL_UP     ? "pull-up"
                       : bias == GPIOD_LINE_BIAS_PULL_DOWN ? "pull-down"
                       : bias == GPIOD_LINE_BIAS_DISABLED  ? "disabled"
                                                           : "as-is";
  return 0;
}

void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool active_low) {
  settings->ask.is_active_low = active_low;
}

void gpiod_line_settings_set_debounce_period_us(struct gpiod_line_settings *settings,
                                                unsigned long period) {
  settings->debounce_us = period;
}

int gpiod_line_settings_set_event_clock(struct gpiod_line_settings *settings,
                                        enum gpiod_line_clock clock) {
  settings->clock = clock;
  return 0;
}

int gpiod_line_settings_set_output_value(struct gpiod_line_settings *settings,
                                         enum gpiod_line_value value) {
  (void)settings;
  return value == GPIOD_LINE_VALUE_INACTIVE ? 0 : result(-EINVAL);
}

struct gpiod_line_config *gpiod_line_config_new(void) {
  return make(sizeof(struct gpiod_line_config));
}

void gpiod_line_config_free(struct gpiod_line_config *config) { free(config); }

int gpiod_line_config_add_line_settings(struct gpiod_line_config *config,
                                        const unsigned int *offsets, size_t count,
                                        struct gpiod_line_settings *settings) {
  for (size_t index = 0; index < count; index++) {
    config->offsets[config->count] = offsets[index];
    config->settings[config->count++] = *settings;
  }
  return 0;
}

struct gpiod_request_config *gpiod_request_config_new(void) {
  return make(sizeof(struct gpiod_request_config));
}

void gpiod_request_config_free(struct gpiod_request_config *config) { free(config); }

void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer) {
  snprintf(config->consumer, sizeof config->consumer, "%s", consumer);
}

void gpiod_request_config_set_event_buffer_size(struct gpiod_request_config *config, size_t size) {
  config->buffer_size = size;
}

struct gpiod_line_request *gpiod_chip_request_lines(struct gpiod_chip *chip,
                                                    struct gpiod_request_config *request_config,
                                                    struct gpiod_line_config *line_config) {
  struct gpiod_line_request *request = make(sizeof *request);
  request->chip = chip->chip;
  size_t size = request_config->buffer_size;
  kernel_queue_make((int)(size == 0 ? 16 * (size_t)line_config->count : size), 1, &request->queue);
  int error = 0;
  for (int index = 0; error == 0 && index < line_config->count; index++) {
    struct gpiod_line_settings *settings = &line_config->settings[index];
    // Nothing else is expected here, and nothing else would be played.
    if (settings->debounce_us != 0 || settings->clock != GPIOD_LINE_CLOCK_MONOTONIC) abort();
    settings->ask.consumer = strdup(request_config->consumer);
    unsigned offset = line_config->offsets[index];
    error = kernel_take(chip->chip, offset, settings->ask, request->queue, ENXIO);
    if (error == 0) request->offsets[request->count++] = offset;
  }
  if (error == 0) return request;
  gpiod_line_request_release(request);
  errno = -error;
  return NULL;
}

void gpiod_line_request_release(struct gpiod_line_request *request) {
  for (int index = 0; index < request->count; index++)
    kernel_release(request->chip, request->offsets[index]);
  kernel_queue_close(request->queue);
  free(request);
}

int gpiod_line_request_get_values_subset(struct gpiod_line_request *request, size_t count,
                                         const unsigned int *offsets,
                                         enum gpiod_line_value *values) {
  for (size_t index = 0; index < count; index++) {
    int level = kernel_level(request->chip, offsets[index]);
    if (level < 0) return result(level);
    values[index] = level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  }
  return 0;
}

int gpiod_line_request_set_value(struct gpiod_line_request *request, unsigned int offset,
                                 enum gpiod_line_value value) {
  return result(kernel_drive(request->chip, offset, value == GPIOD_LINE_VALUE_ACTIVE));
}

int gpiod_line_request_reconfigure_lines(struct gpiod_line_request *request,
                                         struct gpiod_line_config *config) {
  if (request->chip->is_away) return result(-ENODEV);
  for (int index = 0; index < config->count; index++) {
    struct gpiod_line_settings *settings = &config->settings[index];
    settings->ask.consumer = "timerbox";
    kernel_change(request->chip, config->offsets[index], settings->ask);
  }
  return 0;
}

int gpiod_line_request_get_fd(struct gpiod_line_request *request) {
  return kernel_queue_descriptor(request->queue);
}

struct gpiod_edge_event_buffer *gpiod_edge_event_buffer_new(size_t capacity) {
  struct gpiod_edge_event_buffer *buffer = make(sizeof *buffer);
  buffer->capacity = capacity == 0 ? 64 : capacity > 1024 ? 1024 : capacity;
  return buffer;
}

void gpiod_edge_event_buffer_free(struct gpiod_edge_event_buffer *buffer) { free(buffer); }

struct gpiod_edge_event *gpiod_edge_event_buffer_get_event(struct gpiod_edge_event_buffer *buffer,
                                                           unsigned long index) {
  return &buffer->events[index];
}

int gpiod_line_request_read_edge_events(struct gpiod_line_request *request,
                                        struct gpiod_edge_event_buffer *buffer, size_t count) {
  struct edge edges[1024];
  size_t limit = count < buffer->capacity ? count : buffer->capacity;
  int done = kernel_read(request->queue, edges, (int)limit);
  for (int index = 0; index < done; index++) buffer->events[index].edge = edges[index];
  return result(done);
}

enum gpiod_edge_event_type gpiod_edge_event_get_event_type(struct gpiod_edge_event *event) {
  return event->edge.is_rising ? GPIOD_EDGE_EVENT_RISING_EDGE : GPIOD_EDGE_EVENT_FALLING_EDGE;
}

uint64_t gpiod_edge_event_get_timestamp_ns(struct gpiod_edge_event *event) {
  return (uint64_t)event->edge.ns;
}

unsigned int gpiod_edge_event_get_line_offset(struct gpiod_edge_event *event) {
  return event->edge.offset;
}

unsigned long gpiod_edge_event_get_global_seqno(struct gpiod_edge_event *event) {
  return event->edge.edge_number;
}

unsigned long gpiod_edge_event_get_line_seqno(struct gpiod_edge_event *event) {
  return event->edge.line_number;
}
