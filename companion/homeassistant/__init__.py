"""Tables as devices of Home Assistant, by its MQTT discovery; docs/home-assistant.md is for people."""
