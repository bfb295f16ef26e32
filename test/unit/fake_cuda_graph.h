/* SPDX-License-Identifier: MIT */
/* Part of fake_cuda.c: capture of streams into graphs. What is given to a captured stream is kept,
   and done when the graph is launched. As with CUDA's global mode, a call that waits or allocates
   while a stream is captured fails, and spoils the capture. */
enum { CAPTURE_UNSUPPORTED = 900, CAPTURE_INVALIDATED = 901, MAX_STEPS = 64 };

struct step {
  char *to;
  const char *from; /* NULL: filled with `value` */
  size_t bytes;     /* 0: a launch */
  unsigned char value;
};
struct graph {
  struct step steps[MAX_STEPS];
  int count;
  bool invalid;
};
struct stream {
  struct graph *graph; /* that it is captured into */
};

static struct graph *capturing; /* at most one at a time here */
static int launches;            /* done, not captured */

static struct graph *graph_of(const struct stream *stream) {
  return stream ? stream->graph : NULL;
}

/* For calls that must not be made during a capture. */
static int check_capture(void) {
  int error = check();
  if (!error && capturing) {
    capturing->invalid = true;
    error = CAPTURE_UNSUPPORTED;
  }
  return error;
}

static void do_step(const struct step *step) {
  if (step->from)
    memcpy(step->to, step->from, step->bytes);
  else if (step->to)
    memset(step->to, step->value, step->bytes);
  else
    launches++;
}

/* Does it now, or when the graph is launched. */
static int give(const struct stream *stream, struct step step) {
  int error = check();
  struct graph *graph = graph_of(stream);
  if (error || (graph && graph->count == MAX_STEPS))
    return error ? error : OUT_OF_MEMORY;
  if (graph)
    graph->steps[graph->count++] = step;
  else
    do_step(&step);
  return OK;
}

API(cuStreamIsCapturing, struct stream *stream, int *status) {
  CHECK_CONTEXT();
  *status = graph_of(stream) != NULL;
  return OK;
}

API(cuStreamBeginCapture_v2, struct stream *stream, int mode) {
  CHECK_CONTEXT();
  if (!stream || capturing || mode != 0)
    return CAPTURE_UNSUPPORTED;
  capturing = stream->graph = calloc(1, sizeof *stream->graph);
  return OK;
}

API(cuStreamEndCapture, struct stream *stream, struct graph **out) {
  CHECK_CONTEXT();
  struct graph *graph = graph_of(stream);
  if (!graph)
    return INVALID_VALUE;
  stream->graph = capturing = NULL;
  *out = graph->invalid ? NULL : graph;
  if (!graph->invalid)
    return OK;
  free(graph);
  return CAPTURE_INVALIDATED;
}

/* A graph that can be launched is a copy. */
API(cuGraphInstantiateWithFlags, struct graph **out, struct graph *graph,
    unsigned long long flags) {
  CHECK_CONTEXT();
  if (flags)
    return INVALID_VALUE;
  *out = malloc(sizeof **out);
  **out = *graph;
  return OK;
}

API(cuGraphLaunch, struct graph *graph, struct stream *stream) {
  (void)stream;
  CHECK_CONTEXT();
  for (int i = 0; i < graph->count; i++)
    do_step(&graph->steps[i]);
  return OK;
}

API(cuGraphDestroy, struct graph *graph) {
  free(graph);
  return OK;
}

API(cuGraphExecDestroy, struct graph *graph) {
  free(graph);
  return OK;
}

/* For tests: launches that were done, and the last one's attributes. */
struct fake_launch {
  int launches;
  unsigned cluster[3];
  int cooperative, programmatic;
  unsigned grid[3];
};
static struct fake_launch last_launch;

EXPORT void fake_cuda_last_launch(struct fake_launch *out);
EXPORT void fake_cuda_last_launch(struct fake_launch *out) {
  *out = last_launch;
  out->launches = launches;
}
