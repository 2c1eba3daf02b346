/* A strategy for the course's Connect Four that does one thing wrong: what, is said when it is compiled, as -DDEED=LOOP -DDO_LOOP. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int x, y;
} Point;

enum deed {
    GOOD, LOOP, SLEEP, RECURSION, MEMORY, EXIT, DEAF, CONSTRUCTOR, NULL_POINTER, WILD_POINTER, CLEAR, CLEAR_HANGS,
    OFF_BOARD, BLOCKED, FLOATING, OCCUPIED, NO_GET, NO_CLEAR, FILL, FORGED, BURN, FLOOD, CLOSE, FORK_BOMB, PROBE, COUNT,
    ABORT, BIG_FILE, KEEP_SIZE, UNLINKED, MAPPED, THREADS, HERD, WORKER
};

static volatile int on = 1;

static int deep(int n) {
    volatile char room[1024];
    room[n % 1024] = (char)n;
    return n < 0 ? 0 : deep(n + 1) + room[n % 1024];
}

static void *burn(void *nothing) {
    while (on) { }
    return nothing;
}

/* Tells whether an attempt to get out was refused. */
static void tell(const char *what, int failed) {
    printf("%s %s\n", what, failed ? "refused" : "ALLOWED");
}

static void *answer_thread(void *there) {
    *(int *)there = 1;
    return NULL;
}

/* OTHER is a file of somebody else, OUTSIDE one that does not exist yet. */
static void probe(void) {
#ifdef OTHER
    tell("fork", fork() < 0);
    tell("vfork", syscall(SYS_vfork) < 0);
    tell("clone", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) < 0);
    tell("exec", execl("/bin/true", "true", (char *)NULL));
    tell("system", system("true") != 0);
    tell("socket", socket(AF_INET, SOCK_STREAM, 0) < 0);
    tell("unix socket", socket(AF_UNIX, SOCK_STREAM, 0) < 0);
    tell("io_uring", syscall(425, 4, NULL) < 0);
    tell("kill parent", kill(getppid(), SIGKILL));
    tell("kill group", kill(0, SIGKILL));
    tell("kill all", kill(-1, SIGKILL));
    tell("signal by fcntl", fcntl(0, F_SETOWN, getppid()) < 0);
    tell("ptrace", ptrace(PTRACE_ATTACH, getppid(), 0, 0) < 0);
    tell("nice of parent", setpriority(PRIO_PROCESS, getppid(), 19));
    tell("outlive parent", prctl(PR_SET_PDEATHSIG, 0));
    tell("leave group", setpgid(0, getppid()));
    tell("group of parent", getpgid(getppid()) < 0);
    tell("session of parent", getsid(getppid()) < 0);
    errno = 0;
    tell("priority of parent", (getpriority(PRIO_PROCESS, getppid()), errno != 0));
    errno = 0;
    tell("priority of users", (getpriority(PRIO_USER, 0), errno != 0));
    struct timespec used = {0, 1};
    clockid_t parents;
    tell("parent's clock", clock_gettime(~getppid() << 3 | 2, &used));
    tell("parent's clock by name", clock_getcpuclockid(getppid(), &parents));
    tell("sleep by parent's clock", clock_nanosleep(~getppid() << 3 | 2, 0, &used, NULL));
    timer_t timer;
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    tell("timer by parent's clock", timer_create(~getppid() << 3 | 2, &none, &timer));
    clockid_t own_clock, thread_clock;
    int clocks = clock_getcpuclockid(0, &own_clock) || clock_gettime(own_clock, &used)
        || clock_getcpuclockid(getpid(), &own_clock) || clock_gettime(own_clock, &used)
        || pthread_getcpuclockid(pthread_self(), &thread_clock) || clock_gettime(thread_clock, &used)
        || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) || clock_gettime(CLOCK_MONOTONIC, &used);
    printf("own clocks %s\n", clocks ? "REFUSED" : "read");
    printf("own session %s\n", getsid(0) < 0 || getpgid(getpid()) < 0 ? "REFUSED" : "known");
    tell("session", setsid() < 0);
    tell("read /etc/passwd", open("/etc/passwd", O_RDONLY) < 0);
    tell("read other", open(OTHER, O_RDONLY) < 0);
    tell("write other", open(OTHER, O_WRONLY) < 0);
    tell("truncate other", truncate(OTHER, 0));
    tell("mode of other", chmod(OTHER, 0777));
    tell("remove other", unlink(OTHER));
    tell("rename other", rename(OTHER, "mine"));
    tell("link other", link(OTHER, "mine"));
    tell("write outside", open(OUTSIDE, O_CREAT | O_WRONLY, 0644) < 0);
    tell("folder outside", mkdir(OUTSIDE, 0755));
    tell("list /proc", open("/proc", O_RDONLY | O_DIRECTORY) < 0);
    tell("parent's memory", open("/proc/1/environ", O_RDONLY) < 0);
    tell("terminal", open("/dev/tty", O_RDWR) < 0);
    tell("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) < 0);
    tell("unshare", unshare(CLONE_NEWUSER));
    tell("uid", setuid(12345));
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    tell("more memory", setrlimit(RLIMIT_AS, &limit));
    tell("lock of a library", flock(open("/etc/ld.so.cache", O_RDONLY), LOCK_EX | LOCK_NB));
    FILE *own = fopen("own", "w");
    printf("own file %s\n", own && fputs("x", own) >= 0 && fclose(own) == 0 ? "written" : "REFUSED");
    int there = 0;
    pthread_t thread;
    int started = pthread_create(&thread, NULL, answer_thread, &there) == 0 && pthread_join(thread, NULL) == 0;
    printf("thread %s\n", started && there ? "ran" : "REFUSED");
#endif
}

/* Space that no length shows. */
static void keep_size(void) {
    int out = open("empty", O_CREAT | O_WRONLY, 0644);
    tell("space without length", fallocate(out, FALLOC_FL_KEEP_SIZE, 0, 64 << 20));
    tell("hole", fallocate(out, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
    struct stat file;
    fstat(out, &file);
    tell("blocks", file.st_blocks == 0);
}

/* Files without a name that are still open, or only mapped. */
static void hoard(int mapped) {
    static char block[1 << 20];
    for (;;) {
        int out = open("hidden", O_CREAT | O_RDWR, 0644);
        for (int n = 0; n < 4 && write(out, block, sizeof block) > 0; n++) { }
        if (mapped) {
            mmap(NULL, 4096, PROT_READ, MAP_SHARED, out, 0);
            close(out);
        }
        unlink("hidden");
    }
}

/* As many busy threads as can be had. */
static void bomb(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    int made = 0;
    for (int n = 0; n < (DEED == HERD ? 60 : 4000); n++) {
        pthread_t thread;
        made += pthread_create(&thread, &small, burn, NULL) == 0;
    }
    printf("%d threads\n", made);
}

/* Thinks for a third of a second by its own clock. */
static void work(void) {
    struct timespec used;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while (used.tv_sec == 0 && used.tv_nsec < 333000000);
}

static void fill(void) {
    static char block[1 << 20];
    for (int file = 0;; file++) {
        char name[32];
        sprintf(name, "file%d", file);
        int out = open(name, O_CREAT | O_WRONLY, 0644);
        for (int n = 0; n < 8 && write(out, block, sizeof block) > 0; n++) { }
        close(out);
    }
}

#ifdef DO_CONSTRUCTOR
__attribute__((constructor)) static void begin(void) {
    while (on) { }
}
#endif

static int row_above(const int *top, int column) {
    return top[column] - 1;
}

static void misbehave(int first) {
    switch (DEED) {
    case LOOP: while (on) { } break;
    case SLEEP: for (;;) sleep(1000); break;
    case RECURSION: printf("%d\n", deep(0)); break;
    case MEMORY:
        for (;;) {
            volatile char *block = malloc(1 << 20);
            for (int n = 0; n < 1 << 20; n += 4096) block[n] = 1;
        }
        break;
    case EXIT: exit(0); break;
    case ABORT: printf("before the end\n"); abort(); break;
    case DEAF:
        for (int n = 1; n < 65; n++) signal(n, SIG_IGN);
        while (on) { }
        break;
    case FILL: fill(); break;
    case KEEP_SIZE: if (first) keep_size(); break;
    case UNLINKED: hoard(0); break;
    case MAPPED: hoard(1); break;
    case THREADS: if (first) bomb(); break;
    case HERD: bomb(); burn(NULL); break;
    case WORKER: work(); break;
    case BIG_FILE: {
        static char block[1 << 20];
        int out = open("big", O_CREAT | O_WRONLY, 0644);
        while (write(out, block, sizeof block) > 0) { }
        break;
    }
    case FORGED:
        for (int n = 3; n < 8; n++)
            if (write(n, "{\"point\":[0,0]}\n\"done\"\nnonsense\n", 32)) { }
        break;
    case BURN:
        if (first) {
            pthread_t thread;
            for (int n = 0; n < 3; n++) pthread_create(&thread, NULL, burn, NULL);
        }
        break;
    case FLOOD:
        for (int n = 0; n < 100000; n++) printf("a line of forty characters and no more..\n");
        break;
    case CLOSE:
        fclose(stdin);
        fclose(stdout);
        for (int n = 0; n < 3; n++) close(n);
        break;
    case FORK_BOMB: {
        for (int n = 0; n < 100000; n++)
            if (fork() == 0) for (;;) fork();
        break;
    }
    case PROBE: probe(); break;
    }
}

#ifndef DO_NO_GET
Point *getPoint(const int M, const int N, const int *top, const int *board, const int lastX, const int lastY,
                const int noX, const int noY) {
    static int calls = 0;
    Point *point = malloc(sizeof *point);
    int column = 0;
    (void)board;
    (void)lastX;
    (void)lastY;
    misbehave(calls++ == 0);
    if (DEED == COUNT) printf("call %d\n", calls);
    /* Four in a row take the good one four moves: the others leave it alone in the first columns. */
    while (column < N - 1 && (top[column] <= M - 3 || column == noY)) column++;
    point->x = row_above(top, column);
    point->y = column;
    switch (DEED) {
    case NULL_POINTER: return NULL;
    case WILD_POINTER: return (Point *)16;
    case OFF_BOARD: point->x = M; break;
    case BLOCKED: point->x = noX; point->y = noY; break;
    case FLOATING: point->x--; break;
    case OCCUPIED: point->x = M - 1; point->y = lastY < 0 ? N : lastY; break;
    }
    return point;
}
#endif

#ifndef DO_NO_CLEAR
void clearPoint(Point *point) {
    if (DEED == CLEAR) *(volatile int *)0 = 0;
    while (DEED == CLEAR_HANGS && on) { }
    free(point);
}
#endif

#ifdef PROGRAM
int main(void) {
    /* Of a program only what it complains about is kept. */
    dup2(2, 1);
    misbehave(1);
    fflush(stdout);
    return 0;
}
#endif
