#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/hmac.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <openssl/bn.h>

// Variadic functions and function-like macros, which Swift does not import.
static inline EVP_PKEY *quire_openssl_make_ec_key(void) { return EVP_PKEY_Q_keygen(0, 0, "EC", "P-256"); }
static inline EVP_PKEY *quire_openssl_make_rsa_key(size_t bits) { return EVP_PKEY_Q_keygen(0, 0, "RSA", bits); }
static inline EVP_PKEY *quire_openssl_make_ed25519_key(void) { return EVP_PKEY_Q_keygen(0, 0, "ED25519"); }
static inline long quire_openssl_bio_bytes(BIO *bio, char **start) { return BIO_get_mem_data(bio, start); }
static inline void quire_openssl_set_extension_context(X509V3_CTX *context, X509 *certificate) {
    X509V3_set_ctx(context, certificate, certificate, 0, 0, 0);
    X509V3_set_ctx_nodb(context);
}
static inline int quire_openssl_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }
