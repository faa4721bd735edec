// libmicrohttpd lets nobody see the bytes of a request as they came: it takes the framing of chunks off before it calls
// us, and answers a bad length itself. It does read through the C library's recv and GnuTLS's gnutls_record_recv, and a
// program that defines a function under such a name is asked before the library that has it. So both stand here, do
// what they always do, and show what came to the filter of the socket, when it has one.
#define _GNU_SOURCE
#include "incoming.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/types.h>

enum { SOCKET_LIMIT = 1 << 20 };

typedef ssize_t (*reader)(void *source, void *bytes, size_t count);

struct watched {
  _Atomic(quire_incoming_filter) filter;
  void *context;
  bool is_encrypted;
};

// Only the thread that serves a connection writes and uses its place.
static struct watched places[SOCKET_LIMIT];

bool quire_incoming_watch(int socket, bool is_encrypted, quire_incoming_filter filter, void *context) {
  if (socket < 0 || socket >= SOCKET_LIMIT) return false;
  places[socket].context = context;
  places[socket].is_encrypted = is_encrypted;
  atomic_store_explicit(&places[socket].filter, filter, memory_order_release);
  return true;
}

void quire_incoming_forget(int socket) {
  if (socket >= 0 && socket < SOCKET_LIMIT) {
    atomic_store_explicit(&places[socket].filter, 0, memory_order_release);
  }
}

int quire_incoming_accept(int listening, void *address, unsigned *size) {
  return accept4(listening, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// Reads on where the filter has left bytes out: libmicrohttpd takes fewer bytes than it asked for as a sign that no
/// more are there.
///
/// GnuTLS reads what is encrypted with recv itself: of such a socket only what it has decrypted goes through the filter.
static ssize_t filtered(
  int socket, bool is_encrypted, reader read, void *source, uint8_t *bytes, size_t count) {
  quire_incoming_filter filter = socket >= 0 && socket < SOCKET_LIMIT
    ? atomic_load_explicit(&places[socket].filter, memory_order_acquire) : 0;
  if (!filter || count == 0 || places[socket].is_encrypted != is_encrypted) return read(source, bytes, count);
  size_t kept = 0;
  while (kept < count) {
    size_t asked = count - kept;
    ssize_t got = read(source, bytes + kept, asked);
    if (got <= 0) return kept > 0 ? (ssize_t)kept : got;
    kept += filter(places[socket].context, bytes + kept, (size_t)got);
    if (kept > 0 && (size_t)got < asked) break;
  }
  return (ssize_t)kept;
}

struct plain {
  int socket;
  int flags;
};

static ssize_t read_plain(void *source, void *bytes, size_t count) {
  struct plain *plain = source;
  return recvfrom(plain->socket, bytes, count, plain->flags, 0, 0);
}

ssize_t recv(int socket, void *bytes, size_t count, int flags) {
  struct plain plain = {socket, flags};
  return filtered(socket, false, read_plain, &plain, bytes, count);
}

// GnuTLS comes with libmicrohttpd; whoever calls this has it.
ssize_t gnutls_record_recv(void *session, void *bytes, size_t count) {
  static _Atomic(reader) real;
  static _Atomic(int (*)(void *)) socket_of;
  if (!atomic_load(&socket_of)) {
    atomic_store(&real, (reader)dlsym(RTLD_NEXT, "gnutls_record_recv"));
    atomic_store(&socket_of, (int (*)(void *))dlsym(RTLD_NEXT, "gnutls_transport_get_int"));
  }
  return filtered(atomic_load(&socket_of)(session), true, atomic_load(&real), session, bytes, count);
}
