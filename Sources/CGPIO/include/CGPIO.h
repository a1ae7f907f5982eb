// Either libgpiod, behind one set of functions.
//
// gpiod_v1.c and gpiod_v2.c each hold all of them, and the header of the library that is installed
// decides which of the two is compiled. A function that can fail gives its value (0 or more) or a
// negated errno. No function waits: a request's descriptors do not block.
#ifndef CGPIO_H
#define CGPIO_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// Which of the two interfaces this was built for: 1 or 2.
extern const int32_t cgpio_generation;
// Which of the two the library has that is running. If it is not the one above, no other function
// may be called.
int32_t cgpio_loaded_generation(void);
// The version of the library that is running, as it says itself.
const char *cgpio_version(void);

// A chip. It stays open until it and every request of its lines are closed. EOPNOTSUPP: the kernel
// has no such interface to its lines.
struct cgpio_chip;
struct cgpio_chip *_Nullable cgpio_chip_open(const char *path, int32_t *error);
void cgpio_chip_close(struct cgpio_chip *chip);
const char *cgpio_chip_name(struct cgpio_chip *chip);
const char *cgpio_chip_label(struct cgpio_chip *chip);
uint32_t cgpio_chip_line_count(struct cgpio_chip *chip);

// A line as the kernel knows it now. The texts live until the chip is next asked.
struct cgpio_line {
  const char *_Nullable name;
  const char *_Nullable consumer;
  int32_t is_used;
  int32_t is_output;
};
int32_t cgpio_line_look(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line *line);

// What is asked of a line: bits.
static const uint32_t cgpio_output = 1, cgpio_active_low = 2, cgpio_pull_up = 4,
                      cgpio_pull_down = 8, cgpio_bias_disabled = 16, cgpio_both_edges = 32;
struct cgpio_wish {
  uint32_t offset;
  uint32_t bits;
};

// One or two lines of one chip, taken together or not at all.
struct cgpio_request;
// An output begins inactive.
struct cgpio_request *_Nullable cgpio_request_lines(struct cgpio_chip *chip,
                                                    const struct cgpio_wish *wishes, int32_t count,
                                                    int32_t *error);
void cgpio_request_release(struct cgpio_request *request);
// The descriptor that the edges of a line come through; lines may share one. -1: none do.
int32_t cgpio_request_descriptor(struct cgpio_request *request, int32_t index);

struct cgpio_edge {
  int64_t monotonic_ns;
  int32_t index;          // of the line in the request
  int32_t is_active;      // the level after the edge
  uint32_t line_number;   // counts the edges of the line from 1; 0 where the library cannot tell
  uint32_t edge_number;   // counts the edges of the request likewise
};
// The most edges that one reading gives: a batch of so many says that some may have been lost.
extern const int32_t cgpio_batch_limit;
// The edges that wait at the descriptor of a line, at most cgpio_batch_limit: how many.
int32_t cgpio_request_read(struct cgpio_request *request, int32_t index, struct cgpio_edge *edges);
// One bit a line: whether it is active.
int32_t cgpio_request_levels(struct cgpio_request *request, uint32_t *active);
// Which lines raise edges from now on: one bit a line. After a failure the request is of no use
// but to be released.
int32_t cgpio_request_set_edges(struct cgpio_request *request, uint32_t lines);
int32_t cgpio_request_set_active(struct cgpio_request *request, int32_t is_active);

// Who may use a file. The texts live until the next call.
struct cgpio_node {
  uint64_t file_system;
  uint64_t inode;
  uint32_t mode;
  const char *_Nullable owner;
  const char *_Nullable group;
};
// A symbolic link is followed.
int32_t cgpio_node_look(const char *path, struct cgpio_node *node);
// The name of the user that this process runs as; it lives until the next call.
const char *cgpio_user(void);

#pragma clang assume_nonnull end

#endif
