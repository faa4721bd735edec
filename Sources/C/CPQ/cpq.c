#include "cpq.h"
#include "later.h"

#define PQ "libpq.so.5"

LATER(PQ, int, PQcancel, (PGcancel *a, char *b, int c), (a, b, c))
LATER(PQ, void, PQclear, (PGresult *a), (a))
LATER(PQ, char *, PQcmdStatus, (PGresult *a), (a))
LATER(PQ, char *, PQcmdTuples, (PGresult *a), (a))
LATER(PQ, PGconn *, PQconnectdbParams, (const char *const *a, const char *const *b, int c), (a, b, c))
LATER(PQ, int, PQconsumeInput, (PGconn *a), (a))
LATER(PQ, char *, PQerrorMessage, (const PGconn *a), (a))
LATER(PQ, PGresult *, PQexec, (PGconn *a, const char *b), (a, b))
LATER(PQ, PGresult *, PQexecPrepared,
      (PGconn *a, const char *b, int c, const char *const *d, const int *e, const int *f, int g),
      (a, b, c, d, e, f, g))
LATER(PQ, void, PQfinish, (PGconn *a), (a))
LATER(PQ, char *, PQfname, (const PGresult *a, int b), (a, b))
LATER(PQ, void, PQfreeCancel, (PGcancel *a), (a))
LATER(PQ, void, PQfreemem, (void *a), (a))
LATER(PQ, Oid, PQftype, (const PGresult *a, int b), (a, b))
LATER(PQ, PGcancel *, PQgetCancel, (PGconn *a), (a))
LATER(PQ, int, PQgetisnull, (const PGresult *a, int b, int c), (a, b, c))
LATER(PQ, int, PQgetlength, (const PGresult *a, int b, int c), (a, b, c))
LATER(PQ, char *, PQgetvalue, (const PGresult *a, int b, int c), (a, b, c))
LATER(PQ, int, PQnfields, (const PGresult *a), (a))
LATER(PQ, PGnotify *, PQnotifies, (PGconn *a), (a))
LATER(PQ, int, PQntuples, (const PGresult *a), (a))
LATER(PQ, PGresult *, PQprepare, (PGconn *a, const char *b, const char *c, int d, const Oid *e), (a, b, c, d, e))
LATER(PQ, char *, PQresultErrorField, (const PGresult *a, int b), (a, b))
LATER(PQ, ExecStatusType, PQresultStatus, (const PGresult *a), (a))
LATER(PQ, PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *a, PQnoticeProcessor b, void *c), (a, b, c))
LATER(PQ, int, PQsocket, (const PGconn *a), (a))
LATER(PQ, ConnStatusType, PQstatus, (const PGconn *a), (a))
LATER(PQ, PGTransactionStatusType, PQtransactionStatus, (const PGconn *a), (a))
LATER(PQ, unsigned char *, PQunescapeBytea, (const unsigned char *a, size_t *b), (a, b))
