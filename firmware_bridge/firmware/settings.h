/* What differs from board to board: as `make firmware` was told, or as the EEPROM says where somebody wrote it. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdint.h>

#define SERIAL_NUMBER_SIZE 16

typedef struct {
    uint8_t version; /* SETTINGS_VERSION, or the rest means nothing: an erased EEPROM reads 255 */
    uint8_t edges_per_detent;
    uint8_t slots;        /* 1 where switches are fitted in the slots */
    uint8_t broken_level; /* of a beam's pin while a marble is in it */
    char serial_number[SERIAL_NUMBER_SIZE];
} settings_t;

extern settings_t settings;

/* Read the settings; where the EEPROM holds none that are usable, those of the build count. */
void settings_read(void);

/* Count this start; answers a number that the last start did not have. */
uint16_t settings_boot_id(void);

#endif
