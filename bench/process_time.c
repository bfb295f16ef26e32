/* SPDX-License-Identifier: MIT */
/* process_time: how long a command takes as a whole process, and how much memory it holds.

     process_time [--runs N] [--limit-ms MS] [--limit-mb MB] COMMAND ARGUMENT...

   Runs the command N times (20) on one core, its output discarded, after one run that warms the
   file cache; prints minimum, median and maximum of the wall time and the largest resident set.
   Exit code 1 when the command fails or a median limit is passed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 1000 };

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* One run: wall time in milliseconds, or a negative number when it failed; *kilobytes resident. */
static double run_once(char **command, long *kilobytes) {
  double start = now_ms();
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  int state;
  struct rusage usage;
  if (child < 0 || wait4(child, &state, 0, &usage) < 0 || !WIFEXITED(state) || WEXITSTATUS(state))
    return -1;
  *kilobytes = usage.ru_maxrss;
  return now_ms() - start;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int runs = 20, at = 1;
  double limit_ms = 0, limit_mb = 0;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "--runs") == 0)
      runs = atoi(argv[at + 1]);
    else if (strcmp(argv[at], "--limit-ms") == 0)
      limit_ms = atof(argv[at + 1]);
    else if (strcmp(argv[at], "--limit-mb") == 0)
      limit_mb = atof(argv[at + 1]);
    else
      break;
  }
  if (at >= argc || runs < 1 || runs > MAX_RUNS) {
    fprintf(stderr, "usage: process_time [--runs N] [--limit-ms MS] [--limit-mb MB] COMMAND...\n");
    return 1;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  double times[MAX_RUNS];
  long kilobytes = 0, largest = 0;
  for (int i = -1; i < runs; i++) {
    double time = run_once(argv + at, &kilobytes);
    if (time < 0) {
      fprintf(stderr, "process_time: the command failed\n");
      return 1;
    }
    if (i >= 0)
      times[i] = time;
    if (kilobytes > largest)
      largest = kilobytes;
  }
  qsort(times, (size_t)runs, sizeof *times, compare);
  double median = (times[(runs - 1) / 2] + times[runs / 2]) / 2,
         megabytes = (double)largest / 1e3 * 1.024;
  printf("%d runs: %.1f ms minimum, %.1f ms median, %.1f ms maximum; %.1f MB resident\n", runs,
         times[0], median, times[runs - 1], megabytes);
  return (limit_ms > 0 && median > limit_ms) || (limit_mb > 0 && megabytes > limit_mb);
}
