/* Where StarPU keeps its measurements on machines that give it no place for them, or a damaged one: StarPU would stop
 * the program. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tt.h"

#define NOBODY 65534
static char base[64];

static const char *below(const char *name)
{
    static char path[8][200];
    static int next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", base, name);
    return p;
}

static const char *folder(const char *name, mode_t mode)
{
    const char *path = below(name);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void remove_tree(const char *path)
{
    DIR *d;
    struct dirent *e;

    if (unlink(path) == 0) return;
    chmod(path, 0700);
    if ((d = opendir(path))) {
        while ((e = readdir(d))) {
            char inner[600];
            if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
            snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
            remove_tree(inner);
        }
        closedir(d);
    }
    rmdir(path);
}

static int setup(void **state)
{
    (void)state;
    snprintf(base, sizeof base, "/tmp/tw-home-XXXXXX");
    return !mkdtemp(base) || chmod(base, 0777);
}
static int teardown(void **state)
{
    (void)state;
    remove_tree(base);
    return 0;
}

/* Start, work and stop in a child of this process (which never starts the library itself) who may not do what root may.
 * What tw_init returned, or -1000 - the signal that ended the child. */
static int start_as_user(const char *home, const char *temporary)
{
    int ends[2], status, result = -1;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    if ((pid = fork()) == 0) {
        static double a[700 * 700];
        tw_options o;
        alarm(120);
        if (getuid() == 0 && (setgid(NOBODY) || setuid(NOBODY))) _exit(1);
        unsetenv("STARPU_PERF_MODEL_DIR");
        unsetenv("STARPU_HOME");
        unsetenv("XDG_CACHE_HOME");
        setenv("TILEWORK_CACHE_DIR", below("cache"), 1);
        setenv("TMPDIR", temporary, 1);
        if (home)
            setenv("HOME", home, 1);
        else
            unsetenv("HOME");
        setenv("TILEWORK_CROSSOVER", "512", 1);
        tw_options_init(&o);
        result = tw_init(&o);
        if (result) fprintf(stderr, "%s\n", tw_last_message());
        if (result == TW_E_IO && !strstr(tw_last_message(), "STARPU_PERF_MODEL_DIR")) result = 1;
        if (!result) {
            for (int i = 0; i < 700; i++)
                a[i * 701] = 4;
            result = (int)tw_dpotrf('L', 700, a, 700);
            if (!result) result = a[0] != 2;
            if (!result) result = tw_finalize();
        }
        if (write(ends[1], &result, sizeof result) < 0) _exit(1);
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) < 0) result = -1;
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -1000 - WTERMSIG(status) : result;
}

static void home_cannot_be_written(void **state)
{
    (void)state;
    folder("cache", 0777);
    tt_expect_info(start_as_user(folder("home", 0555), folder("tmp", 01777)), 0, "read-only HOME");
    tt_expect_info(start_as_user(below("nowhere/at/all"), below("tmp")), 0, "HOME does not exist");
    tt_expect_info(start_as_user("", below("tmp")), 0, "HOME is empty");
}

/* StarPU's own folder there may be somebody else's. */
static void no_home(void **state)
{
    (void)state;
    folder("cache", 0777);
    folder("tmp", 01777);
    folder("tmp/.starpu", 0555);
    tt_expect_info(start_as_user(NULL, below("tmp")), 0, "no HOME");
}

static void folders_of_somebody_else(void **state)
{
    (void)state;
    folder("cache", 0777);
    folder("tmp", 01777);
    folder("home", 0777);
    folder("home/.starpu", 0777);
    folder("home/.starpu/sampling", 0777);
    folder("home/.starpu/sampling/bus", 0555);
    tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "bus/ cannot be written to");
    assert_int_equal(rename(below("home/.starpu/sampling/bus"), below("bus")), 0);
    folder("home/.starpu/sampling/codelets", 0555);
    tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "codelets/ cannot be written to");
}

static void nowhere(void **state)
{
    (void)state;
    folder("cache", 0777);
    folder("tmp", 0555);
    tt_expect_info(start_as_user(folder("home", 0555), below("tmp")), TW_E_IO, "no folder at all");
    tt_expect_info(start_as_user(NULL, below("nowhere")), TW_E_IO, "no folder at all");
}

static void spoil(const char *path, int how)
{
    int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    if (how == 0) assert_int_equal(ftruncate(fd, 0), 0);
    if (how == 1) assert_int_equal(write(fd, "rubbish\n", 8), 8);
    close(fd);
    if (how >= 2) assert_int_equal(unlink(path), 0);
    if (how == 3) assert_int_equal(mkfifo(path, 0600), 0);
    if (how == 4) assert_int_equal(mkdir(path, 0777), 0);
}

static void damaged_measurements(void **state)
{
    static const char *const files[] = {"config", "affinity", "latency", "bandwidth", "tilework-sum"};
    (void)state;
    folder("cache", 0777);
    folder("tmp", 01777);
    folder("home", 0777);
    setenv("STARPU_HOSTNAME", "machine", 1);
    tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "first start");
    for (int k = 0; k < 5; k++)
        for (int how = 0; how < 5; how++) {
            char path[300];
            snprintf(path, sizeof path, "%s/.starpu/sampling/bus/machine.%s", below("home"), files[k]);
            spoil(path, how);
            tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "%s spoilt, %d", files[k], how);
        }
}

/* A folder that is not empty, and a file of somebody else's where nobody may remove such: neither can be put away. */
static void measurements_that_stay(void **state)
{
    (void)state;
    folder("cache", 0777);
    folder("tmp", 01777);
    folder("home", 0777);
    setenv("STARPU_HOSTNAME", "machine", 1);
    tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "first start");
    assert_int_equal(unlink(below("home/.starpu/sampling/bus/machine.latency")), 0);
    folder("home/.starpu/sampling/bus/machine.latency", 0777);
    folder("home/.starpu/sampling/bus/machine.latency/more", 0777);
    tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "a folder that is not empty");
    assert_int_equal(rmdir(below("home/.starpu/sampling/bus/machine.latency/more")), 0);
    tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "an empty one");
    if (getuid() != 0) return;
    spoil(below("home/.starpu/sampling/bus/machine.config"), 1);
    assert_int_equal(chown(below("home/.starpu/sampling/bus/machine.config"), 0, 0), 0);
    assert_int_equal(chmod(below("home/.starpu/sampling/bus/machine.config"), 0600), 0);
    assert_int_equal(chown(below("home/.starpu/sampling/bus"), 0, 0), 0);
    assert_int_equal(chmod(below("home/.starpu/sampling/bus"), 01777), 0);
    tt_expect_info(start_as_user(below("home"), below("tmp")), 0, "somebody else's file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(home_cannot_be_written, setup, teardown),
        cmocka_unit_test_setup_teardown(no_home, setup, teardown),
        cmocka_unit_test_setup_teardown(folders_of_somebody_else, setup, teardown),
        cmocka_unit_test_setup_teardown(nowhere, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_measurements, setup, teardown),
        cmocka_unit_test_setup_teardown(measurements_that_stay, setup, teardown),
    };
    return tt_run(tests);
}
