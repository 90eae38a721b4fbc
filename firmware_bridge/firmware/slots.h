/* Sixteen switches under the slots, as a matrix with a diode each. */
#ifndef SLOTS_H
#define SLOTS_H

#include <stdint.h>

void slots_start(void);

/* Look at the switches; to be called every few milliseconds. Answers bit 4 x (channel - 1) + (slot - 1) where a marble
   lies; a change counts when it is seen SLOTS_LOOKS times in a row. */
uint16_t slots_look(void);

#define SLOTS_EVERY_MS 4
#define SLOTS_LOOKS 5 /* 20 ms: a switch chatters for a few, and a marble rolling over one stays for 30 and more */

#endif
