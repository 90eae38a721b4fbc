/* A chip on libsimavr: what its parts share. Times are microseconds of simulated time since the start. */
#ifndef CHIP_H
#define CHIP_H

#include <stddef.h>
#include <stdint.h>

#include <sim_avr.h>
#include <sim_elf.h>

#define CYCLES_PER_US 16
#define RAM_START 0x100
#define PAINT 0xC5 /* memory that was never written to */

extern avr_t *avr;
extern elf_firmware_t firmware;
extern uint64_t base_cycles; /* simulated time at the chip's cycle 0 */
extern int powered;

void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
uint64_t now_us(void);

/* pins.c: the board's lines, now and planned; the slots' matrix; the lamp. */
void pins_connect(void);
int pins_line(const char *name);
void pins_plan(uint64_t at_us, int line, int level);
void pins_after_reset(void);
void pins_pass_unpowered(void);
void pins_tell_lamp(void);

/* port.c: the serial line and the pty that it ends at. */
void port_connect(const char *path);
void port_plug(void);
void port_unplug(void);
int port_fd(void); /* to be waited for; -1 where nothing is to be read */
void port_say(const char *hex);
void port_hear(void); /* from the pty, as far as the chip has room */
void port_push(void); /* the rest of what was heard */
void port_after_reset(void);
size_t port_unhex(const char *text, uint8_t *bytes, size_t room);

/* figures.c: what the firmware takes. */
void figures_connect(void);
void figures_after_reset(void);
void figures_tell(void);

#endif
