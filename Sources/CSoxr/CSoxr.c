#include "CSoxr.h"

#include <soxr.h>

void *csoxr_make(double from_hertz, double to_hertz) {
  soxr_error_t error = NULL;
  soxr_io_spec_t form = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
  soxr_t made = soxr_create(from_hertz, to_hertz, 2, &error, &form, &quality, NULL);
  if (error) return NULL;
  return made;
}

long csoxr_run(void *resampler, const float *in, size_t count, float *out, size_t capacity,
               size_t *taken) {
  size_t given = 0;
  *taken = 0;
  if (soxr_process(resampler, in, count, taken, out, capacity, &given)) return -1;
  return (long)given;
}

void csoxr_free(void *resampler) { soxr_delete(resampler); }
