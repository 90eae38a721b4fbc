/* The knob's two contacts into quarter steps, with edges that were lost on the way. No pins, no clock. */
#ifndef KNOB_H
#define KNOB_H

#include <stdint.h>

#define KNOB_REST_MS 50 /* a hand that turns makes an edge every 5 to 40 ms */

typedef struct {
    int32_t steps;       /* quarter steps clockwise since the start */
    uint16_t impossible; /* edges that skipped a step, wraps */
    uint8_t phase;       /* 0 to 3, clockwise */
    uint8_t quiet_ms;    /* since the last edge, up to KNOB_REST_MS */
    int8_t heading;      /* of the last step: 1 clockwise, -1 back */
    uint8_t doubt;       /* the last edge skipped a step out of rest: which way, the next one tells */
} knob_t;

/* Start counting; a and b are 0 or 1. */
void knob_start(knob_t *knob, uint8_t a, uint8_t b);

/* Both contacts as they are now. Levels that are no news cost nothing. */
void knob_see(knob_t *knob, uint8_t a, uint8_t b);

/* A millisecond has passed. */
void knob_ms(knob_t *knob);

#endif
