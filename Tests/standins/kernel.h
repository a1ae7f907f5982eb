// The GPIO chips of a machine that is not there, played from a script. Both stand-ins for libgpiod
// stand on it; the differences between the two interfaces of the real kernel are parameters here.
//
// The script is named by TIMERBOX_STANDIN, one statement a line:
//
//   chip NAME LABEL LINES     a chip; what follows is of it
//   away | denied             it is not there at first | it may not be opened
//   second                    the kernel has the second interface to its lines alone
//   line OFFSET NAME          the name of a line
//   busy OFFSET CONSUMER…     another has the line
//   dumb OFFSET               the line raises no interrupts
//   stuck OFFSET              it cannot be driven
//   low OFFSET                its voltage is low at first; lines are high otherwise
//   go                        the rest waits until standin_go is called, and so on
//   edge US OFFSET LEVEL      the line changes so many microseconds after `go`
//   late US OFFSET LEVEL      the same, but the edge is queued only after the next `go`
//   level OFFSET LEVEL        it changes and no edge is queued
//   lose OFFSET COUNT         edges that are counted and not queued
//   burst US OFFSET COUNT     so many changes, 100 µs apart
//   flutter OFFSET HERTZ [US] changes without end, at their times, the first a period after US
//   free OFFSET               the other gives the line back
//   unplug | plug             the chip goes | comes back
//
// Edges are queued in the order of the script and stamped with the times in it. Every statement up
// to the next `go` has happened when standin_go returns, but for a flutter, which goes on.
//
// What is asked of the chips is appended to the file named by TIMERBOX_STANDIN_LOG.
#ifndef STANDIN_KERNEL_H
#define STANDIN_KERNEL_H

#include <stdint.h>

#define LINES_MAX 64

struct queue;

// How a line is asked for.
struct ask {
  int is_output, is_active_low, has_edges;
  const char *bias;  // "pull-up" and so on
  const char *consumer;
};

struct line {
  char name[32];
  char consumer[32];
  int is_busy;          // with another
  int is_dumb, is_stuck;
  int is_high;          // its voltage
  struct queue *queue;  // of the request that has it, or null
  int is_taken;
  struct ask ask;
  uint32_t number;  // of its last edge
};

struct chip {
  char name[32];
  char label[32];
  unsigned line_count;
  int is_away;
  int is_denied, is_second_only;
  struct line lines[LINES_MAX];
};

struct edge {
  int64_t ns;
  unsigned offset;
  int is_rising;
  uint32_t line_number, edge_number;
};

void standin_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Each gives 0 or more, or a negated errno.
int kernel_open(const char *path, struct chip **chip);
// A queue of so many edges that throws away the newest or the oldest.
int kernel_queue_make(int capacity, int drops_oldest, struct queue **queue);
void kernel_queue_close(struct queue *queue);
int kernel_queue_descriptor(struct queue *queue);
int kernel_read(struct queue *queue, struct edge *edges, int count);
// `no_interrupts` is the error that this interface has for a line without them.
int kernel_take(struct chip *chip, unsigned offset, struct ask ask, struct queue *queue,
                int no_interrupts);
// Changes how a taken line is asked for.
void kernel_change(struct chip *chip, unsigned offset, struct ask ask);
void kernel_release(struct chip *chip, unsigned offset);
// Whether the line is active.
int kernel_level(struct chip *chip, unsigned offset);
int kernel_drive(struct chip *chip, unsigned offset, int is_active);

// Plays the script up to its next `go`.
void standin_go(void);

#endif
