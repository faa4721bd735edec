#pragma once
#include <curl/curl.h>
// curl's set and get functions are variadic, which Swift does not import: one typed face per kind of value.
CURLcode ccurl_set_long(CURL *h, CURLoption o, long v);
CURLcode ccurl_set_size(CURL *h, CURLoption o, curl_off_t v);
CURLcode ccurl_set_text(CURL *h, CURLoption o, const char *v);
CURLcode ccurl_set_pointer(CURL *h, CURLoption o, void *v);
/// The bytes are copied.
CURLcode ccurl_set_bytes(CURL *h, CURLoption o, const void *bytes, size_t count);
CURLcode ccurl_set_list(CURL *h, CURLoption o, struct curl_slist *v);

typedef size_t (*ccurl_transfer)(char *buffer, size_t size, size_t count, void *context);
typedef int (*ccurl_seek)(void *context, curl_off_t offset, int origin);
typedef curl_socket_t (*ccurl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*ccurl_debug)(CURL *h, curl_infotype kind, char *bytes, size_t count, void *context);

void ccurl_on_write(CURL *h, ccurl_transfer f, void *context);
void ccurl_on_read(CURL *h, ccurl_transfer f, void *context);
void ccurl_on_header(CURL *h, ccurl_transfer f, void *context);
void ccurl_on_seek(CURL *h, ccurl_seek f, void *context);
void ccurl_on_open(CURL *h, ccurl_open f, void *context);
void ccurl_on_debug(CURL *h, ccurl_debug f, void *context);
CURLcode ccurl_get_long(CURL *h, CURLINFO i, long *v);
/// The connection that a finished transfer left open; CURL_SOCKET_BAD for none.
curl_socket_t ccurl_socket(CURL *h);

static inline CURLcode ccurl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
/// A finished transfer's result, or -1 for any other message (the result lies in a union).
static inline int ccurl_finished(const CURLMsg *m) { return m->msg == CURLMSG_DONE ? (int)m->data.result : -1; }
