// What the product uses of libgpiod 1.6, declared anew: so that this half of the shim is compiled
// and tested where the other library is installed.
#ifndef STANDIN_GPIOD_V1_H
#define STANDIN_GPIOD_V1_H

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

// By this macro the two headers are told apart.
#define GPIOD_LINE_BULK_MAX_LINES 64

struct gpiod_chip;
struct gpiod_line;

enum { GPIOD_LINE_DIRECTION_INPUT = 1, GPIOD_LINE_DIRECTION_OUTPUT = 2 };
enum {
  GPIOD_LINE_REQUEST_DIRECTION_INPUT = 2,
  GPIOD_LINE_REQUEST_DIRECTION_OUTPUT = 3,
  GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES = 6,
};
enum {
  GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW = 1 << 2,
  GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE = 1 << 3,
  GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN = 1 << 4,
  GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP = 1 << 5,
};
enum { GPIOD_LINE_EVENT_RISING_EDGE = 1, GPIOD_LINE_EVENT_FALLING_EDGE = 2 };

struct gpiod_line_request_config {
  const char *consumer;
  int request_type;
  int flags;
};

struct gpiod_line_event {
  struct timespec ts;
  int event_type;
};

const char *gpiod_version_string(void);
struct gpiod_chip *gpiod_chip_open(const char *path);
void gpiod_chip_close(struct gpiod_chip *chip);
const char *gpiod_chip_name(struct gpiod_chip *chip);
const char *gpiod_chip_label(struct gpiod_chip *chip);
unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip);
struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset);
int gpiod_line_update(struct gpiod_line *line);
const char *gpiod_line_name(struct gpiod_line *line);
const char *gpiod_line_consumer(struct gpiod_line *line);
bool gpiod_line_is_used(struct gpiod_line *line);
int gpiod_line_direction(struct gpiod_line *line);
int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *config,
                       int default_value);
void gpiod_line_release(struct gpiod_line *line);
int gpiod_line_get_value(struct gpiod_line *line);
int gpiod_line_set_value(struct gpiod_line *line, int value);
int gpiod_line_event_get_fd(struct gpiod_line *line);
int gpiod_line_event_read_fd_multiple(int descriptor, struct gpiod_line_event *events,
                                      unsigned int count);

#endif
