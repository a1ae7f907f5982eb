// A sound card for tests that keeps time as a real one does.
//
// The card is a plug-in of libasound (plugin/card.c). It and the test share a file, which begins
// with `struct timed_card` and goes on with what was heard: samples of 32 bits, whatever the format
// was, interleaved, from `TIMED_CARD_CAPTURE` on to the end of the file.
#ifndef TIMED_CARD_H
#define TIMED_CARD_H

#include <stdint.h>

enum { TIMED_CARD_CAPTURE = 8192, TIMED_CARD_RUNS = 256 };

// From a start of the stream to its stop. Frame `frame + n` of the capture is heard at `start_ns`
// on the monotonic clock and n frames of the card's own crystal after it, the FIFO included.
struct timed_card_run {
  int64_t frame;
  int64_t start_ns;
};

struct timed_card {
  // What the test sets, before an opening or at any time. All zero is a card without faults.
  int64_t is_away;          // it is not there: what is open is disconnected
  int64_t away_error;       // what an opening gives then; ENODEV if 0
  int64_t open_error;       // an errno that an opening gives
  int64_t opening_ns;       // how long an opening takes to return
  int64_t writing_ns;       // how long the next writing takes to return; set back by the card
  int64_t busy_until_ns;    // another holds it until then
  int64_t says_again;       // it takes nothing
  int64_t stands_still;     // it runs and plays nothing
  int64_t suspends;         // it is suspended at the next look; set back by the card
  int64_t quantum_frames;   // the pointer moves in such steps; 0: by single frames
  int64_t crystal_ppm;      // how much faster than the clock it plays
  int64_t fifo_frames;      // frames past the buffer that the delay counts
  int64_t swallow_ns;       // so long after an opening nothing is heard
  int64_t rate_min, rate_max;           // 8,000 and 192,000 if 0
  int64_t channels_min, channels_max;   // 1 and 8 if 0
  int64_t only_format;                  // 1 + a number of libasound; all linear ones if 0
  int64_t period_bytes_min, period_bytes_max;
  int64_t buffer_bytes_min, buffer_bytes_max;
  int64_t periods_max;

  // What the card tells.
  int64_t opening_attempts, openings, closings, is_open;
  int64_t configurations, preparations, starts, underruns;
  int64_t thread;       // who opened it
  int64_t opened_ns;
  int64_t rate, channels, format, period_frames, buffer_frames;
  int64_t looks;        // how often the pointer was asked for
  int64_t least_queue;  // the fewest frames that were waiting when it was looked at, since a start
  int64_t heard_frames;
  int64_t run_count;
  struct timed_card_run runs[TIMED_CARD_RUNS];
};

// Makes the file of a card with room for so many bytes of sound, and maps it; NULL and errno when
// it cannot be made.
struct timed_card *timed_card_make(const char *path, int64_t sound_bytes);
void timed_card_release(struct timed_card *card, int64_t sound_bytes);

// What was heard.
const int32_t *timed_card_heard(const struct timed_card *card);

// When a frame of the capture was heard, in nanoseconds of the monotonic clock.
int64_t timed_card_time(const struct timed_card *card, int64_t frame);

#endif
