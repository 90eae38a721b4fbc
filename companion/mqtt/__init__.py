"""Tables on an MQTT broker: told through the outbox, commanded under `…/cmd/`; docs/mqtt.md has the topics."""
