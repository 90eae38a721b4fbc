#include "chip.h"

#include <stdio.h>
#include <string.h>

#define VECTORS 26

static uint64_t entered[VECTORS], waiting[VECTORS];
static uint64_t longest_cycles[VECTORS], longest_wait_cycles[VECTORS];
static uint32_t entries[VECTORS];
static unsigned depth, nested;

static void running(avr_irq_t *irq, uint32_t value, void *which)
{
    (void)irq;
    const int vector = (int)(intptr_t)which;
    if (value) {
        nested += depth++ > 0;
        entered[vector] = avr->cycle;
        entries[vector]++;
        if (waiting[vector] && avr->cycle - waiting[vector] > longest_wait_cycles[vector])
            longest_wait_cycles[vector] = avr->cycle - waiting[vector];
        waiting[vector] = 0;
        return;
    }
    depth -= depth > 0;
    if (entered[vector] && avr->cycle - entered[vector] > longest_cycles[vector])
        longest_cycles[vector] = avr->cycle - entered[vector];
}

static void pending(avr_irq_t *irq, uint32_t value, void *which)
{
    (void)irq;
    const int vector = (int)(intptr_t)which;
    if (!value)
        waiting[vector] = 0;
    else if (!waiting[vector])
        waiting[vector] = avr->cycle;
}

static unsigned ram_used(void)
{
    return firmware.datasize + firmware.bsssize;
}

/* Bytes of the stack that were ever written to. */
static unsigned stack_used(void)
{
    unsigned at = RAM_START + ram_used();
    while (at <= avr->ramend && avr->data[at] == PAINT)
        at++;
    return avr->ramend + 1 - at;
}

void figures_tell(void)
{
    printf("figures flash=%u ram=%u stack=%u nested=%u", (unsigned)firmware.flashsize, ram_used(), stack_used(), nested);
    for (int vector = 0; vector < VECTORS; vector++)
        if (entries[vector])
            printf(" %d=%u/%llu/%llu", vector, entries[vector], (unsigned long long)longest_cycles[vector],
                   (unsigned long long)longest_wait_cycles[vector]);
    printf("\n");
}

void figures_after_reset(void)
{
    memset(waiting, 0, sizeof waiting);
    memset(entered, 0, sizeof entered);
    depth = 0;
}

void figures_connect(void)
{
    for (int vector = 1; vector < VECTORS; vector++) {
        avr_irq_t *irq = avr_get_interrupt_irq(avr, vector);
        if (!irq)
            continue;
        avr_irq_register_notify(irq + AVR_INT_IRQ_RUNNING, running, (void *)(intptr_t)vector);
        avr_irq_register_notify(irq + AVR_INT_IRQ_PENDING, pending, (void *)(intptr_t)vector);
    }
}
