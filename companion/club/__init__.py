"""All tables of a club on one page, from MQTT alone; docs/club.md is for people."""
