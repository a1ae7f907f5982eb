// Who allocates in a test program, and a libasound without time stamps.
#ifndef WITNESS_H
#define WITNESS_H

#include <stdint.h>

// Counts from now on what a thread asks of malloc and its kin, freeing included; 0: nobody.
void witness_watch(int64_t thread);
int64_t witness_count(void);
// The calling thread.
int64_t witness_thread(void);
// From now on a status of libasound has no time stamp on this machine.
void witness_hide_stamps(int hides);
// How many stamps were hidden.
int64_t witness_hidden(void);

// The raw values of a control, the second one -1 where it has one channel; 0 or a negated errno.
int32_t witness_control(const char *interface, const char *control, int64_t values[2]);

// The calling thread, and no other, has the rights of nobody, or its own again; 0 or an errno.
int32_t witness_become_nobody(int becomes);

#endif
