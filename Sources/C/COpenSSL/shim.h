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
#include <openssl/cms.h>
#include <openssl/ess.h>
#include <openssl/ocsp.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/ts.h>

// Variadic functions and function-like macros, which Swift does not import.
static inline EVP_PKEY *quire_openssl_make_ec_key(void) { return EVP_PKEY_Q_keygen(0, 0, "EC", "P-256"); }
static inline EVP_PKEY *quire_openssl_make_rsa_key(size_t bits) { return EVP_PKEY_Q_keygen(0, 0, "RSA", bits); }
static inline EVP_PKEY *quire_openssl_make_ed25519_key(void) { return EVP_PKEY_Q_keygen(0, 0, "ED25519"); }
static inline long quire_openssl_bio_bytes(BIO *bio, char **start) { return BIO_get_mem_data(bio, start); }
static inline int quire_openssl_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

// Stacks are reached by macros.
static inline STACK_OF(X509) *quire_openssl_new_certificates(void) { return sk_X509_new_null(); }
static inline int quire_openssl_certificate_count(const STACK_OF(X509) *all) { return all ? sk_X509_num(all) : 0; }
static inline X509 *quire_openssl_certificate(const STACK_OF(X509) *all, int at) { return sk_X509_value(all, at); }
static inline int quire_openssl_add_certificate(STACK_OF(X509) *all, X509 *one) {
    if (!X509_up_ref(one)) return 0;
    if (sk_X509_push(all, one) > 0) return 1;
    X509_free(one);
    return 0;
}
static inline void quire_openssl_free_certificates(STACK_OF(X509) *all) { sk_X509_pop_free(all, X509_free); }
static inline int quire_openssl_signer_count(CMS_ContentInfo *message) {
    STACK_OF(CMS_SignerInfo) *all = CMS_get0_SignerInfos(message);
    return all ? sk_CMS_SignerInfo_num(all) : 0;
}
static inline CMS_SignerInfo *quire_openssl_signer(CMS_ContentInfo *message, int at) {
    return sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message), at);
}
static inline int quire_openssl_crl_count(const STACK_OF(X509_CRL) *all) { return all ? sk_X509_CRL_num(all) : 0; }
static inline X509_CRL *quire_openssl_crl(const STACK_OF(X509_CRL) *all, int at) { return sk_X509_CRL_value(all, at); }
static inline void quire_openssl_free_crls(STACK_OF(X509_CRL) *all) { sk_X509_CRL_pop_free(all, X509_CRL_free); }
static inline int quire_openssl_attribute_bytes(
    const X509_ATTRIBUTE *attribute, int at, unsigned char **bytes) {
    ASN1_TYPE *value = X509_ATTRIBUTE_get0_type((X509_ATTRIBUTE *)attribute, at);
    return value ? i2d_ASN1_TYPE(value, bytes) : -1;
}
static inline void quire_openssl_set_issuing_context(X509V3_CTX *context, X509 *issuer, X509 *certificate) {
    X509V3_set_ctx(context, issuer, certificate, 0, 0, 0);
    X509V3_set_ctx_nodb(context);
}
// Where a certificate says that something about it is told: its authority's answers (NID_ad_OCSP), its authority itself
// (NID_ad_ca_issuers), or lists of what was taken back. To be freed by who asks; NULL behind
// the last.
static inline char *quire_openssl_address(const GENERAL_NAME *name) {
    if (!name || name->type != GEN_URI) return 0;
    return OPENSSL_strndup((const char *)ASN1_STRING_get0_data(name->d.ia5), ASN1_STRING_length(name->d.ia5));
}
static inline char *quire_openssl_access_address(const X509 *certificate, int kind, int at) {
    AUTHORITY_INFO_ACCESS *all = (AUTHORITY_INFO_ACCESS *)X509_get_ext_d2i(certificate, NID_info_access, 0, 0);
    char *found = 0;
    for (int i = 0; all && !found && i < sk_ACCESS_DESCRIPTION_num(all); i++) {
        ACCESS_DESCRIPTION *one = sk_ACCESS_DESCRIPTION_value(all, i);
        if (OBJ_obj2nid(one->method) == kind && at-- == 0) found = quire_openssl_address(one->location);
    }
    AUTHORITY_INFO_ACCESS_free(all);
    return found;
}
static inline char *quire_openssl_list_address(const X509 *certificate, int at) {
    STACK_OF(DIST_POINT) *all =
        (STACK_OF(DIST_POINT) *)X509_get_ext_d2i(certificate, NID_crl_distribution_points, 0, 0);
    char *found = 0;
    for (int i = 0; all && !found && i < sk_DIST_POINT_num(all); i++) {
        DIST_POINT_NAME *point = sk_DIST_POINT_value(all, i)->distpoint;
        if (!point || point->type != 0) continue;
        for (int j = 0; !found && j < sk_GENERAL_NAME_num(point->name.fullname); j++) {
            GENERAL_NAME *name = sk_GENERAL_NAME_value(point->name.fullname, j);
            if (name->type == GEN_URI && at-- == 0) found = quire_openssl_address(name);
        }
    }
    sk_DIST_POINT_pop_free(all, DIST_POINT_free);
    return found;
}
static inline void quire_openssl_free_text(char *text) { OPENSSL_free(text); }
static inline void quire_openssl_set_list_context(X509V3_CTX *context, X509 *issuer, X509_CRL *list) {
    X509V3_set_ctx(context, issuer, 0, 0, list, 0);
    X509V3_set_ctx_nodb(context);
}
static inline int quire_openssl_print_name(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}
