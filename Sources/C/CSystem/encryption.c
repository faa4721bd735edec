// What the kernel's file systems encrypt by themselves (fscrypt): a folder belongs to a key, which is lent to the file
// system while its files may be read. `man 5 fscrypt`; Documentation/filesystems/fscrypt.rst.
#define _GNU_SOURCE
#include "csystem.h"
#include <errno.h>
#include <linux/fscrypt.h>
#include <string.h>
#include <sys/ioctl.h>

static struct fscrypt_key_specifier specifier(const uint8_t *name) {
    struct fscrypt_key_specifier key = {.type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER};
    memcpy(key.u.identifier, name, CSYSTEM_KEY_NAME_SIZE);
    return key;
}

int csystem_folder_key(int folder, uint8_t *name) {
    struct fscrypt_get_policy_ex_arg asked = {.policy_size = sizeof asked.policy};
    if (ioctl(folder, FS_IOC_GET_ENCRYPTION_POLICY_EX, &asked) != 0) return errno;
    if (asked.policy.version != FSCRYPT_POLICY_V2) return EOPNOTSUPP;
    memcpy(name, asked.policy.v2.master_key_identifier, CSYSTEM_KEY_NAME_SIZE);
    return 0;
}

int csystem_folder_encrypt(int folder, const uint8_t *name) {
    struct fscrypt_policy_v2 policy = {
        .version = FSCRYPT_POLICY_V2,
        .contents_encryption_mode = FSCRYPT_MODE_AES_256_XTS,
        .filenames_encryption_mode = FSCRYPT_MODE_AES_256_CTS,
        .flags = FSCRYPT_POLICY_FLAGS_PAD_32,
    };
    memcpy(policy.master_key_identifier, name, CSYSTEM_KEY_NAME_SIZE);
    return ioctl(folder, FS_IOC_SET_ENCRYPTION_POLICY, &policy) == 0 ? 0 : errno;
}

int csystem_key_lend(int folder, const uint8_t *key, uint8_t *name) {
    union {
        struct fscrypt_add_key_arg lent;
        uint8_t bytes[sizeof(struct fscrypt_add_key_arg) + CSYSTEM_KEY_SIZE];
    } room = {.lent = {.key_spec.type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER, .raw_size = CSYSTEM_KEY_SIZE}};
    memcpy(room.bytes + sizeof(struct fscrypt_add_key_arg), key, CSYSTEM_KEY_SIZE);
    int result = ioctl(folder, FS_IOC_ADD_ENCRYPTION_KEY, &room.lent) == 0 ? 0 : errno;
    memcpy(name, room.lent.key_spec.u.identifier, CSYSTEM_KEY_NAME_SIZE);
    explicit_bzero(&room, sizeof room);
    return result;
}

int csystem_key_take_back(int folder, const uint8_t *name, bool *is_in_use) {
    struct fscrypt_remove_key_arg taken = {.key_spec = specifier(name)};
    if (ioctl(folder, FS_IOC_REMOVE_ENCRYPTION_KEY, &taken) != 0) return errno;
    // Of another user who lent it as well, it stays.
    *is_in_use = taken.removal_status_flags != 0;
    return 0;
}

int csystem_key_is_lent(int folder, const uint8_t *name, bool *is_lent) {
    struct fscrypt_get_key_status_arg asked = {.key_spec = specifier(name)};
    if (ioctl(folder, FS_IOC_GET_ENCRYPTION_KEY_STATUS, &asked) != 0) return errno;
    *is_lent = asked.status == FSCRYPT_KEY_STATUS_PRESENT;
    return 0;
}
