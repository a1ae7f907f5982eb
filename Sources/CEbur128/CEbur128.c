#include "CEbur128.h"

#include <ebur128.h>
#include <math.h>

void *cebur128_make(unsigned long rate_hertz) {
  return ebur128_init(2, rate_hertz, EBUR128_MODE_M | EBUR128_MODE_TRUE_PEAK);
}

double cebur128_add(void *meter, const float *samples, size_t frames) {
  double loudness;
  if (ebur128_add_frames_float(meter, samples, frames)) return NAN;
  return ebur128_loudness_momentary(meter, &loudness) ? NAN : loudness;
}

double cebur128_true_peak(void *meter) {
  double left, right;
  if (ebur128_true_peak(meter, 0, &left) || ebur128_true_peak(meter, 1, &right)) return NAN;
  return left > right ? left : right;
}

void cebur128_free(void *meter) {
  ebur128_state *state = meter;
  ebur128_destroy(&state);
}
