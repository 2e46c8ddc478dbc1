/* Attempts to leave a sandbox that need system calls. Ends with 10 if one is out, 20 if it is held, else it is broken. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT = 10, HELD = 20, BROKEN = 30 };

static const char *target(const char *name) {
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s isn't set\n", name);
        exit(BROKEN);
    }
    return value;
}

static int number(const char *name) { return atoi(target(name)); }

/* Out if the call worked, or failed later than for a lack of rights. */
static int judge(long result) {
    if (result >= 0) return OUT;
    fprintf(stderr, "%s\n", strerror(errno));
    return HELD;
}

static int reads(const char *path) {
    char buffer[64];
    int fd = open(path, O_RDONLY);
    if (fd < 0) return judge(-1);
    return read(fd, buffer, sizeof buffer) > 0 ? OUT : HELD;
}

static int home_secret(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/.ssh/id", target("T_HOME"));
    return reads(path);
}

static int other_families(void) {
    int found = 0;
    for (int family = 0; family < 48; family++) {
        if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
        for (int type = 1; type <= 5; type++) {
            int fd = socket(family, type, 0);
            if (fd >= 0) {
                fprintf(stderr, "family %d opens\n", family);
                found = 1;
                close(fd);
            }
        }
    }
    return found ? OUT : HELD;
}

static int connects(int protocol) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)number("T_TCP"))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, protocol);
    if (fd < 0) return judge(-1);
    return judge(connect(fd, (struct sockaddr *)&address, sizeof address));
}

static int fast_open(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)number("T_TCP"))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return judge(-1);
    return judge(sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address));
}

static void map(const char *file, const char *format, unsigned id) {
    char text[64];
    int fd = open(file, O_WRONLY);
    if (fd < 0) exit(judge(-1));
    snprintf(text, sizeof text, format, id, id);
    if (write(fd, text, strlen(text)) < 0) exit(judge(-1));
    close(fd);
}

/* A user namespace of its own, with all rights in it, and its mounts. */
static void alone(void) {
    unsigned user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) exit(judge(-1));
    map("/proc/self/setgroups", "deny", 0);
    map("/proc/self/uid_map", "%u %u 1", user);
    map("/proc/self/gid_map", "%u %u 1", group);
}

static int chroot_escape(void) {
    if (mkdir("jail", 0700) != 0 && errno != EEXIST) return BROKEN;
    if (chroot("jail") != 0) return judge(-1);
    for (int step = 0; step < 64; step++)
        if (chdir("..") != 0) return HELD;
    if (chroot(".") != 0) return judge(-1);
    return home_secret();
}

static int daemon_of(const char *mark) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (int fd = 0; fd < 64; fd++) close(fd);
            execl("/bin/sleep", mark, "60", (char *)NULL);
        }
        _exit(0);
    }
    wait(NULL);
    return HELD; /* the bench looks whether it lives on */
}

enum { MANY = 5000 };

/* Fork until it is refused; more than MANY is as good as without end. */
static int bomb(void) {
    pid_t *children = calloc(MANY, sizeof *children);
    int number = 0;
    while (children && number < MANY) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            pause();
            _exit(0);
        }
        children[number++] = child;
    }
    fprintf(stderr, "%d processes\n", number);
    for (int each = 0; each < number; each++) kill(children[each], SIGKILL);
    while (wait(NULL) > 0) continue;
    return number == MANY ? OUT : HELD;
}

#if defined(__x86_64__)
static long old_call(long call, long first, long second) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(call), "b"(first), "c"(second), "d"(0L) : "memory", "r8", "r9", "r10", "r11");
    return result;
}

static int old_socket(void) {
    long result = old_call(359, 40, SOCK_STREAM); /* socket(AF_VSOCK) of 32 bits */
    fprintf(stderr, "result %ld\n", result);
    return result >= 0 || result == -EAFNOSUPPORT ? OUT : HELD;
}
#else
static int old_socket(void) { return HELD; }
#endif

int main(int argc, char **argv) {
    if (argc < 2) return BROKEN;
    const char *name = argv[1];
#define IS(word) (strcmp(name, word) == 0)
    if (IS("families")) return other_families();
    if (IS("vsock")) return judge(socket(40, SOCK_STREAM, 0));
    if (IS("packet")) return judge(socket(AF_PACKET, SOCK_RAW, htons(3)));
    if (IS("alg")) return judge(socket(AF_ALG, SOCK_SEQPACKET, 0));
    if (IS("raw")) return judge(socket(AF_INET, SOCK_RAW, 1));
    if (IS("raw6")) return judge(socket(AF_INET6, SOCK_RAW, 58));
    if (IS("tcp")) return connects(0);
    if (IS("mptcp")) return connects(262);
    if (IS("sctp")) return connects(132);
    if (IS("fastopen")) return fast_open();
    if (IS("old_socket")) return old_socket();
    if (IS("x32_socket")) return judge(syscall(0x40000000 | 41, 40, SOCK_STREAM, 0));
    if (IS("io_uring")) {
        char parameters[120] = {0};
        return judge(syscall(SYS_io_uring_setup, 4, parameters));
    }
    if (IS("setns_net")) {
        int fd = open("/proc/1/ns/net", O_RDONLY);
        if (fd < 0) return judge(-1);
        if (setns(fd, CLONE_NEWNET) != 0) return judge(-1);
        return connects(0);
    }
    if (IS("setns_victim")) {
        int fd = (int)syscall(SYS_pidfd_open, number("T_PID"), 0);
        if (fd < 0) return judge(-1);
        if (setns(fd, CLONE_NEWNS | CLONE_NEWNET) != 0) return judge(-1);
        return home_secret();
    }
    if (IS("uncover_home")) {
        alone();
        if (umount2(target("T_HOME"), MNT_DETACH) != 0 && umount2("/root", MNT_DETACH) != 0 &&
            umount2("/home", MNT_DETACH) != 0)
            return judge(-1);
        return home_secret();
    }
    if (IS("remount_root")) {
        alone();
        if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL) != 0) return judge(-1);
        return judge(open("/etc/verigate-escape", O_CREAT | O_WRONLY, 0600));
    }
    if (IS("overmount_home")) {
        alone();
        if (mount("none", "/mnt", "tmpfs", 0, NULL) != 0) return judge(-1);
        if (mkdir("/mnt/lower", 0700) != 0) return BROKEN;
        if (mount("/", "/mnt/lower", NULL, MS_BIND, NULL) != 0) return judge(-1); /* not recursive: what is below */
        char path[4096];
        snprintf(path, sizeof path, "/mnt/lower%s/.ssh/id", target("T_HOME"));
        return reads(path);
    }
    if (IS("mount")) return judge(mount("none", "/mnt", "tmpfs", 0, NULL));
    if (IS("pivot_root")) return judge(syscall(SYS_pivot_root, ".", "."));
    if (IS("chroot")) return chroot_escape();
    if (IS("mknod")) {
        if (mknod("disk", S_IFBLK | 0600, makedev(254, 0)) != 0) return judge(-1);
        return judge(open("disk", O_RDONLY));
    }
    if (IS("mknod_memory")) {
        if (mknod("memory", S_IFCHR | 0600, makedev(1, 1)) != 0) return judge(-1);
        return judge(open("memory", O_RDONLY));
    }
    if (IS("handle")) {
        struct { struct file_handle head; unsigned char body[128]; } place = {.head = {.handle_bytes = 128}};
        int mount_id, fd = open("/", O_RDONLY | O_DIRECTORY);
        if (fd < 0) fd = open(".", O_RDONLY | O_DIRECTORY);
        if (name_to_handle_at(fd, "", &place.head, &mount_id, AT_EMPTY_PATH) != 0) return judge(-1);
        return judge(open_by_handle_at(fd, &place.head, O_RDONLY));
    }
    if (IS("ptrace")) return judge(ptrace(PTRACE_SEIZE, number("T_PID"), NULL, NULL));
    if (IS("vm_read")) {
        char buffer[8];
        struct iovec ours = {buffer, sizeof buffer}, theirs = {(void *)strtoul(target("T_ADDRESS"), NULL, 16), sizeof buffer};
        return judge(process_vm_readv(number("T_PID"), &ours, 1, &theirs, 1, 0));
    }
    if (IS("pidfd_getfd")) {
        int fd = (int)syscall(SYS_pidfd_open, number("T_PID"), 0);
        return fd < 0 ? judge(-1) : judge(syscall(SYS_pidfd_getfd, fd, 0, 0));
    }
    if (IS("pidfd_signal")) {
        int fd = (int)syscall(SYS_pidfd_open, number("T_PID"), 0);
        return fd < 0 ? judge(-1) : judge(syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0));
    }
    if (IS("first_descriptor")) {
        int fd = (int)syscall(SYS_pidfd_open, 1, 0);
        return fd < 0 ? judge(-1) : judge(syscall(SYS_pidfd_getfd, fd, 0, 0));
    }
    if (IS("first_ptrace")) return judge(ptrace(PTRACE_SEIZE, 1, NULL, NULL));
    if (IS("first_memory")) return judge(open("/proc/1/mem", O_RDWR));
    if (IS("first_thread_memory")) return judge(open("/proc/1/task/1/mem", O_RDWR));
    if (IS("first_end")) {
        struct timespec moment = {0, 200000000};
        if (kill(1, SIGKILL) != 0) return judge(-1);
        nanosleep(&moment, NULL);
        return HELD;
    }
    if (IS("signal_gate")) return judge(kill(number("T_GATE"), 0));
    if (IS("nice")) return judge(setpriority(PRIO_PROCESS, (id_t)number("T_PID"), 5));
    if (IS("affinity")) {
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set) != 0) return BROKEN;
        return judge(sched_setaffinity(number("T_PID"), sizeof set, &set));
    }
    if (IS("core_pattern")) {
        alone();
        return judge(open("/proc/sys/kernel/core_pattern", O_WRONLY));
    }
    if (IS("fresh_proc")) { /* a mount of its own, without what covers the sandbox's */
        alone();
        if (unshare(CLONE_NEWPID) != 0) return judge(-1);
        pid_t child = fork();
        if (child == 0) {
            if (mount("proc", "/proc", "proc", 0, NULL) != 0) _exit(judge(-1));
            _exit(judge(open("/proc/sys/kernel/core_pattern", O_WRONLY)));
        }
        int status;
        return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : BROKEN;
    }
    if (IS("shm")) {
        void *place = shmat(number("T_SHM"), NULL, SHM_RDONLY);
        return place == (void *)-1 ? judge(-1) : strncmp(place, "secret", 6) == 0 ? OUT : HELD;
    }
    if (IS("semaphore")) return judge(semget((key_t)number("T_IPC_KEY"), 1, 0));
    if (IS("queue")) return judge(msgget((key_t)number("T_IPC_KEY"), 0));
    if (IS("mqueue")) return judge(mq_open(target("T_MQ"), O_RDWR));
    if (IS("keyring")) return judge(syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", target("T_KEY"), 0));
    if (IS("session_keyring")) return judge(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
    if (IS("add_key")) return judge(syscall(SYS_add_key, "user", "verigate-escape-left", "x", 1, KEY_SPEC_USER_KEYRING));
    if (IS("bpf")) {
        char attributes[128] = {1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0}; /* an array map */
        return judge(syscall(SYS_bpf, 0, attributes, sizeof attributes));
    }
    if (IS("perf")) {
        char attributes[128] = {0};
        *(unsigned *)attributes = 1;         /* software */
        *(unsigned *)(attributes + 4) = 128; /* size */
        return judge(syscall(SYS_perf_event_open, attributes, -1, 0, -1, 0));
    }
    if (IS("perf_self")) {
        char attributes[128] = {0};
        *(unsigned *)attributes = 1;
        *(unsigned *)(attributes + 4) = 128;
        *(unsigned long *)(attributes + 40) = 0x60; /* without kernel and hypervisor */
        return judge(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
    }
    if (IS("userfaultfd")) return judge(syscall(SYS_userfaultfd, 1));
    if (IS("kernel_log")) {
        char buffer[4096];
        return judge(klogctl(3, buffer, sizeof buffer));
    }
    if (IS("module")) {
        syscall(SYS_init_module, "x", 1, "");
        return errno == EPERM ? HELD : OUT; /* with the right it isn't a module */
    }
    if (IS("kexec")) {
        syscall(SYS_kexec_load, 0, 99, NULL, 0);
        return errno == EPERM || errno == ENOSYS ? HELD : OUT;
    }
    if (IS("reboot")) {
        syscall(SYS_reboot, 0, 0, 0, NULL);
        return errno == EPERM ? HELD : OUT; /* with the right the numbers are wrong */
    }
    if (IS("swap")) {
        syscall(SYS_swapoff, "/verigate-no-such-file");
        return errno == EPERM ? HELD : OUT;
    }
    if (IS("clock")) {
        struct timespec wrong = {.tv_nsec = -1};
        syscall(SYS_clock_settime, 0, &wrong);
        return errno == EPERM ? HELD : OUT;
    }
    if (IS("ports")) {
#if defined(__x86_64__)
        return judge(syscall(SYS_iopl, 3));
#else
        return HELD;
#endif
    }
    if (IS("hostname")) {
        char old[256];
        if (gethostname(old, sizeof old) != 0) return BROKEN;
        return judge(sethostname(old, strlen(old)));
    }
    if (IS("terminal")) {
        int fd = open("/dev/tty", O_RDWR);
        return fd < 0 ? judge(-1) : judge(ioctl(fd, TIOCSTI, "x"));
    }
    if (IS("terminal_own") || IS("console")) {
        int fd = posix_openpt(O_RDWR | O_NOCTTY);
        if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0) return judge(-1);
        setsid();
        int other = open(ptsname(fd), O_RDWR);
        if (other < 0) return judge(-1);
        ioctl(other, TIOCSCTTY, 0);
        return judge(ioctl(other, IS("console") ? 0x541CUL : (unsigned long)TIOCSTI, "x"));
    }
    if (IS("bomb")) return bomb();
    if (IS("daemon")) return daemon_of(target("T_MARK_C"));
    if (IS("clone_daemon")) { /* a process that no parent waits for */
        long pid = syscall(SYS_clone, CLONE_PARENT, 0, 0, 0, 0);
        if (pid == 0) {
            for (int fd = 0; fd < 64; fd++) close(fd);
            execl("/bin/sleep", target("T_MARK_CLONE"), "60", (char *)NULL);
            _exit(1);
        }
        return pid < 0 ? BROKEN : HELD;
    }
    return BROKEN;
}
