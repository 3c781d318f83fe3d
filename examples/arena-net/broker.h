// The square in several processes, which meet at a broker, NATS, or at the port of the host, over ENet.
#ifndef BROKER_H
#define BROKER_H

#define BROKER_URL "nats://127.0.0.1:4222"
#define ENET_URL   "enet://" // then HOST:PORT for players, or the port for a host

// Updates the square until a signal comes, as the host or waiting to be it. Returns the exit status.
int broker_host(const char *url);

// Plays what the host has recorded, and becomes the host when that dies. Returns the exit status.
int broker_stand_by(const char *url);

// Plays in this terminal. Returns the exit status.
int broker_play(const char *url, const char *name);

// Plays by itself for some seconds, and prints a line for each. Returns the exit status.
int broker_bot(const char *url, const char *name, int seconds);

#endif
