/* Knob and beams at their pins, followed by interrupts; the clock. */
#ifndef SENSORS_H
#define SENSORS_H

#include <stdint.h>

#include "beams.h"

typedef struct {
    uint32_t ms; /* since the start, wraps */
    int32_t steps;
    uint16_t impossible;
    uint8_t broken;
    uint8_t passages[BEAMS];
} senses_t;

/* `broken_level`: of a beam's pin while a marble is in it. Interrupts are to be enabled after it. */
void sensors_start(uint8_t broken_level);

/* Everything at one moment, untorn. */
void sensors_read(senses_t *now);

#endif
