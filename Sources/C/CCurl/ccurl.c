#include "ccurl.h"
#include "later.h"

#define CURL_LIBRARY "libcurl.so.4"

LATER(CURL_LIBRARY, void, curl_easy_cleanup, (CURL *a), (a))
LATER(CURL_LIBRARY, CURL *, curl_easy_init, (void), ())
LATER(CURL_LIBRARY, CURLcode, curl_easy_recv, (CURL *a, void *b, size_t c, size_t *d), (a, b, c, d))
LATER(CURL_LIBRARY, void, curl_easy_reset, (CURL *a), (a))
LATER(CURL_LIBRARY, CURLcode, curl_easy_send, (CURL *a, const void *b, size_t c, size_t *d), (a, b, c, d))
LATER(CURL_LIBRARY, const char *, curl_easy_strerror, (CURLcode a), (a))
LATER(CURL_LIBRARY, void, curl_free, (void *a), (a))
LATER(CURL_LIBRARY, CURLcode, curl_global_init, (long int a), (a))
LATER(CURL_LIBRARY, CURLMcode, curl_multi_add_handle, (CURLM *a, CURL *b), (a, b))
LATER(CURL_LIBRARY, CURLMcode, curl_multi_cleanup, (CURLM *a), (a))
LATER(CURL_LIBRARY, CURLMsg *, curl_multi_info_read, (CURLM *a, int *b), (a, b))
LATER(CURL_LIBRARY, CURLM *, curl_multi_init, (void), ())
LATER(CURL_LIBRARY, CURLMcode, curl_multi_perform, (CURLM *a, int *b), (a, b))
LATER(CURL_LIBRARY, CURLMcode, curl_multi_poll,
      (CURLM *a, struct curl_waitfd *b, unsigned int c, int d, int *e),
      (a, b, c, d, e))
LATER(CURL_LIBRARY, CURLMcode, curl_multi_remove_handle, (CURLM *a, CURL *b), (a, b))
LATER(CURL_LIBRARY, struct curl_slist *, curl_slist_append, (struct curl_slist *a, const char *b), (a, b))
LATER(CURL_LIBRARY, void, curl_slist_free_all, (struct curl_slist *a), (a))
LATER(CURL_LIBRARY, CURLU *, curl_url, (void), ())
LATER(CURL_LIBRARY, void, curl_url_cleanup, (CURLU *a), (a))
LATER(CURL_LIBRARY, CURLUcode, curl_url_get, (CURLU *a, CURLUPart b, char **c, unsigned int d), (a, b, c, d))
LATER(CURL_LIBRARY, CURLUcode, curl_url_set, (CURLU *a, CURLUPart b, const char *c, unsigned int d), (a, b, c, d))

#undef curl_easy_setopt
#undef curl_easy_getinfo
#define SET LATER_CALL(CURL_LIBRARY, curl_easy_setopt)

CURLcode ccurl_set_long(CURL *h, CURLoption o, long v) { return SET(h, o, v); }
CURLcode ccurl_set_size(CURL *h, CURLoption o, curl_off_t v) { return SET(h, o, v); }
CURLcode ccurl_set_text(CURL *h, CURLoption o, const char *v) { return SET(h, o, v); }
CURLcode ccurl_set_pointer(CURL *h, CURLoption o, void *v) { return SET(h, o, v); }
CURLcode ccurl_set_bytes(CURL *h, CURLoption o, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return SET(h, o, &blob);
}
CURLcode ccurl_set_list(CURL *h, CURLoption o, struct curl_slist *v) { return SET(h, o, v); }
CURLcode ccurl_get_long(CURL *h, CURLINFO i, long *v) { return LATER_CALL(CURL_LIBRARY, curl_easy_getinfo)(h, i, v); }

curl_socket_t ccurl_socket(CURL *h) {
    curl_socket_t found = CURL_SOCKET_BAD;
    LATER_CALL(CURL_LIBRARY, curl_easy_getinfo)(h, CURLINFO_ACTIVESOCKET, &found);
    return found;
}

void ccurl_on_write(CURL *h, ccurl_transfer f, void *context) {
    SET(h, CURLOPT_WRITEFUNCTION, f);
    SET(h, CURLOPT_WRITEDATA, context);
}
void ccurl_on_read(CURL *h, ccurl_transfer f, void *context) {
    SET(h, CURLOPT_READFUNCTION, f);
    SET(h, CURLOPT_READDATA, context);
}
void ccurl_on_header(CURL *h, ccurl_transfer f, void *context) {
    SET(h, CURLOPT_HEADERFUNCTION, f);
    SET(h, CURLOPT_HEADERDATA, context);
}
void ccurl_on_seek(CURL *h, ccurl_seek f, void *context) {
    SET(h, CURLOPT_SEEKFUNCTION, f);
    SET(h, CURLOPT_SEEKDATA, context);
}
void ccurl_on_open(CURL *h, ccurl_open f, void *context) {
    SET(h, CURLOPT_OPENSOCKETFUNCTION, f);
    SET(h, CURLOPT_OPENSOCKETDATA, context);
}
void ccurl_on_debug(CURL *h, ccurl_debug f, void *context) {
    SET(h, CURLOPT_VERBOSE, 1L);
    SET(h, CURLOPT_DEBUGFUNCTION, f);
    SET(h, CURLOPT_DEBUGDATA, context);
}
