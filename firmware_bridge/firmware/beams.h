/* Eight light beams: a break is a marble, once, however often it rolls back and forth. No pins, no clock. */
#ifndef BEAMS_H
#define BEAMS_H

#include <stdint.h>

#define BEAMS 8
#define BEAM_TICKS_PER_US 2  /* of the clock that stamps edges */
#define BEAM_LEAST_US 100    /* a marble off the beam's centre line breaks it for 150 us; a spark does not reach this */
#define BEAM_CLEAR_MS 400    /* a marble that rolls up and back breaks it again within a third of a second */

typedef struct {
    uint8_t broken;             /* bits: broken now */
    uint8_t young;              /* bits: broken, for too short to be a marble yet */
    uint8_t marble;             /* bits: a marble is passing, or has not been gone for long enough */
    uint8_t passages[BEAMS];    /* marbles since the start, each wraps */
    uint16_t since[BEAMS];      /* when a young break began, in ticks */
    uint16_t clear_ms[BEAMS];   /* how long the beam of a passing marble has been clear */
} beams_t;

/* Start counting; what is broken now is no marble. */
void beams_start(beams_t *beams, uint8_t broken);

/* The beams as they are at this tick. To be called at every change. */
void beams_see(beams_t *beams, uint8_t broken, uint16_t tick);

/* A millisecond has passed. To be called more often than the ticks wrap. */
void beams_ms(beams_t *beams, uint16_t tick);

#endif
