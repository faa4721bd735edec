#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sees the bytes that came over a connection before libmicrohttpd does, may change them, and tells how many are left.
typedef size_t (*quire_incoming_filter)(void *context, uint8_t *bytes, size_t count);

/// From now on what `recv`, or of an encrypted connection `gnutls_record_recv`, brings from this socket goes through the filter
/// first. False when the socket's number is beyond all measure.
bool quire_incoming_watch(int socket, bool is_encrypted, quire_incoming_filter filter, void *context);

/// Before the socket is closed.
void quire_incoming_forget(int socket);

/// The next client of a listening socket: one that waits for nothing and that no child process inherits. -1 when there is none.
/// The address is a `sockaddr` and its size a `socklen_t`: whose header is named here belongs to this module for Swift.
int quire_incoming_accept(int listening, void *address, unsigned *size);
