// The least that making N documents can cost: open, write, close, of the same bytes.
//   floor FILE FOLDER COPIES [SWEPT]
// With SWEPT the folder is emptied before each so many copies, which is not counted.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static double spent(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static double emptied(const char *folder) {
    double before = spent();
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.') unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing != NULL) closedir(listing);
    return spent() - before;
}

int main(int count, char **words) {
    if (count != 4 && count != 5) return 2;
    int in = open(words[1], O_RDONLY);
    struct stat status;
    if (in < 0 || fstat(in, &status) != 0) return 1;
    char *bytes = malloc((size_t)status.st_size);
    if (bytes == NULL || read(in, bytes, (size_t)status.st_size) != status.st_size) return 1;
    mkdir(words[2], 0755);
    long copies = atol(words[3]), swept = count == 5 ? atol(words[4]) : copies;
    double sweeping = 0;
    for (long copy = 0; copy < copies; copy++) {
        if (copy > 0 && copy % swept == 0) sweeping += emptied(words[2]);
        char path[4096];
        snprintf(path, sizeof path, "%s/%ld.pdf", words[2], copy);
        int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (out < 0 || write(out, bytes, (size_t)status.st_size) != status.st_size || close(out) != 0) return 1;
    }
    printf("%.4f\n", (spent() - sweeping) * 1000 / copies);
    return 0;
}
