/* The boundary between polygraphy and its back ends: plain C, versioned. The only header of
 * polygraphy that a back end includes.
 *
 * A back end is a shared object named polygraphy_<name>.so that exports one function,
 * polygraphy_backend(). It opens its vendor library itself, at run time (dlopen, RTLD_LOCAL), and
 * keeps every API table in its instance, so that two versions of one library live side by side.
 * polygraphy searches its folder of back ends, the folders in POLYGRAPHY_BACKENDS, and the paths
 * of --backend-path. `polygraphy backends --check` runs the cases that every back end passes.
 *
 * Rules
 *  - Structs that begin with `struct_size` grow at their end without a new PGB_ABI_VERSION: the
 *    writer stores its size of the struct, and a reader uses only fields within that size. Other
 *    structs are elements of arrays and change only with the version. So a field is added when
 *    the first back end needs it: progress would go to pgb_host, memory of devices to pgb_value.
 *  - No exception crosses. A call that fails returns a status and reports once through
 *    pgb_host.set_error.
 *  - Strings are UTF-8, zero-terminated unless a size is given. Their creator owns them; they live
 *    at least until the call returns (results of plugin calls: until the object that returned
 *    them is freed).
 *  - Calls on one instance or session come from one thread at a time.
 */
#ifndef POLYGRAPHY_BACKEND_H
#define POLYGRAPHY_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PGB_ABI_VERSION 3u

typedef enum pgb_status {
  PGB_OK = 0,
  PGB_FAILED = 1,      /* the model, the feeds or the library: the message says which */
  PGB_UNAVAILABLE = 2, /* library not found or not usable here */
  PGB_UNSUPPORTED = 3, /* a feature that this back end lacks */
  PGB_CANCELLED = 4,
  PGB_BAD_OPTION = 5 /* the value of an option: the message is complete */
} pgb_status;

/* Severities are the numbers of polygraphy's logger:
 * 10 verbose, 20 info, 22 start, 28 finish, 30 warning, 40 error. */
typedef int32_t pgb_severity;

typedef enum pgb_value_kind {
  PGB_TENSOR = 1,
  PGB_STRINGS = 2,  /* a string tensor: shape, `offsets`, `data` = all bytes one after another */
  PGB_SEQUENCE = 3, /* `items` */
  PGB_MAP = 4,      /* two items: keys and values, each a tensor or strings of one dimension */
  PGB_OPTIONAL = 5  /* one item, or no item */
} pgb_value_kind;

typedef struct pgb_value {
  size_t struct_size;
  int32_t kind;  /* pgb_value_kind */
  int32_t dtype; /* ONNX TensorProto.DataType; sub-byte types are packed low bits first */
  int32_t rank;
  const int64_t* shape; /* rank entries */
  const void* data;     /* C order */
  size_t bytes;
  const uint64_t* offsets; /* strings: count + 1 entries */
  const struct pgb_value* items;
  size_t item_count;
  /* Outputs only. Not null: `data` lives as long as `owner` is retained; the receiver may keep it
   * without copying by calling retain(owner), from any thread, and release(owner) when done, even
   * after unload(). Null: the receiver copies. */
  void* owner;
  void (*retain)(void* owner);
  void (*release)(void* owner);
} pgb_value;

typedef struct pgb_named_value {
  const char* name;
  const pgb_value* value;
} pgb_named_value;

/* One input or output of a session. */
typedef struct pgb_tensor_info {
  size_t struct_size;
  const char* name;
  int32_t kind;                 /* pgb_value_kind; 0: not known */
  int32_t dtype;                /* 0: not known; of sequences and optionals: their elements' */
  int32_t rank;                 /* -1: not known; of sequences and optionals: of their elements */
  const int64_t* dims;          /* -1: not known */
  const char* const* dim_names; /* may be null; entries may be null or empty */
} pgb_tensor_info;

/* An option as the user typed it: values in order; a flag has no values. */
typedef struct pgb_key_values {
  const char* key; /* pgb_option_spec.key */
  const char* const* values;
  size_t value_count;
} pgb_key_values;

/* Returns the next calibration batch for a network with these inputs, dimensions included: 1 with
 * values that live until the next call, 0 after the last batch, -1 for an error, which the host
 * reports itself. `first`: restart. From the calling thread only. */
typedef int (*pgb_batch_fn)(void* context, int32_t first, const pgb_tensor_info* inputs,
                            size_t input_count, const pgb_named_value** batch, size_t* value_count);

/* Options for loading a model. */
typedef struct pgb_session_options {
  size_t struct_size;
  const pgb_key_values* options; /* in order; an entry per occurrence */
  size_t option_count;
  /* Non-zero: */
  int32_t profile;    /* infer() times each node, for profile() */
  int32_t single_run; /* few calls of infer(): a run returns its memory to the system, and idle
                         threads sleep at once */
  int32_t verbatim;   /* messages are the library's, unmodified */
  /* User-given shapes of the model's inputs (--input-shapes), in order. */
  const pgb_tensor_info* declared_inputs;
  size_t declared_input_count;
  /* For builders that calibrate; null: no calibration data. */
  pgb_batch_fn next_batch;
  void* batches; /* next_batch's context */
} pgb_session_options;

typedef struct pgb_model {
  size_t struct_size;
  const char* path;  /* may be null when bytes are given */
  const void* bytes; /* may be null: load from path */
  size_t byte_count;
  const char* external_data; /* folder of external data for models given as bytes; may be null */
  const char* format; /* one of pgb_backend_options.formats: "onnx", or the format of an artefact */
  /* For PGB_WANTS_NAMES: the graph's inputs (without those that are initializers) and outputs, in
   * order; null when they could not be read. */
  const char* const* input_names;
  size_t input_count;
  const char* const* output_names;
  size_t output_count;
} pgb_model;

/* Services of the host. Valid as long as the instance. */
typedef struct pgb_host {
  size_t struct_size;
  void* context;
  /* From any thread. Each text is one message. */
  void (*log)(void* context, pgb_severity severity, const char* module, const char* text);
  /* Non-zero if the host would show the message: call before building expensive texts. From the
   * calling thread only. */
  int (*log_enabled)(void* context, pgb_severity severity, const char* module);
  /* `message`: the observation and its place; `hint`: the remedy, may be null. Call at most once
   * per failing call. */
  void (*set_error)(void* context, const char* message, const char* hint);
  /* Non-zero: stop as soon as it is safe and return PGB_CANCELLED. From any thread. Null: calls
   * are never cancelled. */
  int (*cancelled)(void* context);
  /* Memory for outputs from which the host need not copy. Both are null if any memory will do.
   * From any thread; allocate() returns null if memory is exhausted. The host releases retained
   * outputs before it closes the instance. */
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  void (*deallocate)(void* context, void* memory);
} pgb_host;

typedef struct pgb_instance pgb_instance; /* (plugin, vendor library) */
typedef struct pgb_session pgb_session;   /* a loaded model, ready to run */

typedef struct pgb_instance_info {
  size_t struct_size;
  const char* library_version;
  const char* library_path;
  const char* devices;    /* comma separated, for people; may be empty */
  int32_t max_ir_version; /* newest ONNX IR version the library loads; 0: not known */
  int32_t max_opset;      /* newest opset of ONNX' default domain the library loads; 0: not known */
} pgb_instance_info;

/* Receives one output during infer(). The value's memory may be reused when the callback returns.
 * Non-zero stops. */
typedef int (*pgb_output_fn)(void* context, const char* name, const pgb_value* value);
/* Receives bytes, in one piece or several. Non-zero stops. */
typedef int (*pgb_bytes_fn)(void* context, const void* bytes, size_t count);

typedef struct pgb_node_time {
  size_t struct_size;
  const char* node; /* name in the model where known, else the library's */
  const char* op;
  const char* kernel; /* the library's name of the implementation; may be null */
  double microseconds;
} pgb_node_time;
typedef void (*pgb_node_time_fn)(void* context, const pgb_node_time* row);

/* pgb_backend.capabilities() */
#define PGB_EXTERNAL_FOLDER 1u /* load() from bytes honours pgb_model.external_data */
#define PGB_WANTS_NAMES 2u     /* load() needs the names of the model's inputs and outputs */
#define PGB_MAPS_WEIGHTS \
  4u /* with PGB_EXTERNAL_FOLDER: external data is mapped, at any offset of a file */
#define PGB_WANTS_TYPES 8u /* outputs need types, including marked ones */

/* ---- Command-line options of a back end: pure data ---- */

typedef enum pgb_option_type {
  PGB_TEXT = 0,
  PGB_INTEGER = 1,
  PGB_NUMBER = 2, /* a floating-point number */
  PGB_PATH = 3,   /* a file; load() receives it relative to the process's folder, or absolute */
  PGB_FOLDER = 4, /* the same for a folder */
  PGB_WRITTEN_FILE = 5,  /* the same for a file that load() creates or replaces */
  PGB_UPDATED_FILE = 6,  /* the same for a file that load() reads, if it exists, and writes */
  PGB_SHAPE = 7,         /* NAME:SHAPE, as --input-shapes: "x:[n,3]"; load() receives "x:[-1,3]" */
  PGB_SIZE = 8,          /* NAME:BYTES: "workspace:1G"; load() receives "workspace:1073741824" */
  PGB_WRITTEN_FOLDER = 9 /* as PGB_FOLDER; load() writes files to it */
} pgb_option_type;

/* Stages of an engine that read an option. */
typedef enum pgb_stages {
  PGB_BUILDS = 1, /* build(), and load() of a model that is not an engine */
  PGB_RUNS = 2    /* load() of an engine */
} pgb_stages;

typedef struct pgb_option_spec {
  const char* spellings; /* space separated, the first long one is its name: "--threads -t"; null:
                            for programs only */
  const char* key;       /* pgb_key_values.key */
  const char* nargs;     /* "0" a flag, "1", "?", "+", "*" */
  const char* metavar;   /* may be null */
  const char* choices;   /* space separated; null: anything */
  const char* help;
  const char* heading; /* in help; null: the back end's title */
  const char* instead; /* not null: the option is deprecated, and this replaces it */
  int32_t type;        /* pgb_option_type of each value */
  int32_t repeats;     /* 1: every occurrence counts, not only the last */
  int32_t exclusive; /* options of one back end with the same number exclude each other; 0: none */
  int32_t required;  /* 1: where the back end's runner flag is given */
  int32_t ours; /* 1: not an option of the original: typed in full, takes no part in abbreviation */
  /* The effect, for programs that call the library in Python. */
  const char* loader;      /* class of the polygraphy package that takes the option as an argument:
                              "CreateConfig"; null: none */
  const char* argument;    /* name of that argument; null: `key` */
  const char* enumeration; /* of the library's Python module; the values name its members:
                              "TacticSource"; null: none */
  const char* enumerator;  /* member of `enumeration` that a flag sets: "SPARSE_WEIGHTS" */
  int32_t stages;          /* pgb_stages, added; 0: all */
} pgb_option_spec;

/* A format of models. */
typedef struct pgb_model_format {
  const char* name; /* value of --model-type: "onnx", "engine" */
  /* Space-separated glob patterns of file names; patterns of folders end in a slash: "*.onnx",
   * "saved_*" followed by "/". Empty: only --model-type selects it. */
  const char* patterns;
} pgb_model_format;

/* Options that change how an engine computes, but not its results: keys of
 * pgb_backend_options.options, null if the engine lacks the switch. `check consistency` varies
 * them. */
typedef struct pgb_switches {
  size_t struct_size;
  const char* threads;           /* a number: threads of one inference */
  const char* level;             /* one of `levels`: the level of optimisation */
  const char* const* levels;     /* from least to most; null-terminated */
  const char* disable;           /* "+": names of `optimizers` to disable */
  const char* const* optimizers; /* null-terminated */
  /* A file that load() writes: the library's form of the model. It loads as `saved_format`, one of
   * pgb_backend_options.formats; if that is "onnx", with the first of `levels`, because it is
   * already optimised. */
  const char* save;
  const char* saved_format;
  /* A folder in which load() stores compiled models, and from which another load() of the same
   * model reads them. */
  const char* cache;
} pgb_switches;

typedef struct pgb_backend_options {
  size_t struct_size;
  const char* name;           /* "onnxrt" for polygraphy_onnxrt.so */
  const char* flags;          /* runner flags: "--onnxrt"; aliases space separated */
  int32_t flags_ours;         /* 1: the runner flags are not the original's */
  const char* runner_prefix;  /* "onnxrt-runner": prefix of runner names in logs and results */
  const char* title;          /* heading in help: "ONNX-Runtime Session Creation" */
  const char* summary;        /* one line for --help and `polygraphy backends` */
  const char* remedy;         /* package to install if its library is missing */
  const char* library_env;    /* environment variable that names the library; may be null */
  const char* library_option; /* "--onnxrt-lib"; may be null */
  /* Where wheels and system packages put the library, as glob patterns relative to a site-packages
   * folder, and as plain sonames for the system's loader. Null-terminated; may be null. */
  const char* const* site_packages_patterns;
  const char* const* sonames;
  const pgb_model_format* formats; /* accepted by load() or build() */
  size_t format_count;
  const pgb_option_spec* options;
  size_t option_count;
  int32_t own_process; /* 1: each of its runners needs a separate process, because the library may
                          crash */
  /* Not null: the back end runs in the user's Python, and this module is its library. `search` of
   * open() and library_option are the interpreter. */
  const char* python_module;
  const pgb_switches* switches; /* null: none */
} pgb_backend_options;

/* ---- The back end itself ---- */

typedef struct pgb_backend {
  size_t struct_size;
  uint32_t abi_version;               /* PGB_ABI_VERSION that the plugin was built with */
  const pgb_backend_options* options; /* lives as long as the process */
  /* Opens the vendor library: `library` is a path, or null to try `search`, a list of candidate
   * paths in order. PGB_UNAVAILABLE with a one-line reason and a remedy when none is usable. */
  pgb_status (*open)(const pgb_host* host, const char* library, const char* const* search,
                     size_t search_count, pgb_instance** out);
  void (*close)(pgb_instance* instance); /* never dlcloses */
  pgb_status (*info)(pgb_instance* instance, pgb_instance_info* out);
  /* PGB_* flags for load() with these options in this version of the library. */
  uint32_t (*capabilities)(pgb_instance* instance, const pgb_session_options* options);
  pgb_status (*load)(pgb_instance* instance, const pgb_model* model,
                     const pgb_session_options* options, pgb_session** out);
  void (*unload)(pgb_session* session);
  /* Both return the count, and set *out to entry `index` unless that is past the end. In the
   * library's order. */
  size_t (*inputs)(pgb_session* session, size_t index, const pgb_tensor_info** out);
  size_t (*outputs)(pgb_session* session, size_t index, const pgb_tensor_info** out);
  pgb_status (*infer)(pgb_session* session, const pgb_named_value* feeds, size_t feed_count,
                      pgb_output_fn deliver, void* context);
  /* Per-node times of the last infer() of a session that was loaded with `profile`. May be null. */
  pgb_status (*profile)(pgb_session* session, pgb_node_time_fn row, void* context);
  /* Optional features as tables with names: returns null for an unknown name. May be null. */
  const void* (*extension)(const char* name);
} pgb_backend;

/* extension("build"): compiling apart from loading. */
#define PGB_BUILD "build"
typedef struct pgb_build {
  size_t struct_size;
  const char* format; /* of the artefacts: load() takes them under this name */
  /* Compiles a model of another of pgb_backend_options.formats, and delivers the artefact once it
   * is complete. A later failure concerns files written beside it (a cache), and the host keeps the
   * artefact. */
  pgb_status (*build)(pgb_instance* instance, const pgb_model* model,
                      const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* pgb_option_spec.key of the option with the file to which the host saves the artefact before it
   * loads it; may be null. */
  const char* save_option;
} pgb_build;

/* extension("precision"): the number format in which a library computes; it may differ from the
 * requested one. */
#define PGB_PRECISION "precision"
typedef struct pgb_precision {
  size_t struct_size;
  /* The number format of a loaded model, by its name in ONNX ("float32", "bfloat16"). Valid as long
   * as the session; null: not known. */
  const char* (*precision)(pgb_session* session);
} pgb_precision;

/* extension("inspect"): descriptions by a library that compiles models, as JSON texts. */
#define PGB_INSPECT "inspect"
typedef struct pgb_inspect {
  size_t struct_size;
  /* The network that the library makes of a model:
   * {"name", "flags": [names], "inputs": [tensor], "outputs": [tensor],
   *  "layer_precisions": bool, true if layers have settable precisions,
   *  "layers": [{"name", "type", "op", "inputs": [tensor], "outputs": [tensor],
   *              "attributes": [{"name", and one of "int", "float", "bool", "text",
   *                              "enum": "Type.NAME", "object": its name, "dims": [numbers],
   *                              "permutation": [numbers], "floats": [numbers],
   *                              "weights": {"dtype", "count", "at"}}]}]}
   * A tensor is {"name", "dtype": number in ONNX, "shape": [-1 if open] or null, "executed":
   * false if its values are known before the execution}, or null for an omitted one. "op": the
   * type, or the kind for a type with kinds. */
  pgb_status (*network)(pgb_instance* instance, const pgb_model* model,
                        const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* The nodes that the library supports; indices are from 0 in the model's order:
   * {"supported": bool,
   *  "errors": [{"node": number or -1, "name", "operator", "reason", "functions": [names]}],
   *  "subgraphs": [{"supported": bool, "nodes": [numbers]}]}
   * A subgraph has nodes without errors; "supported" if it is known to work as a separate model. */
  pgb_status (*capability)(pgb_instance* instance, const pgb_model* model,
                           const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* Describes an artefact (pgb_build.format). May be null.
   * {"name", "refittable": bool, "memory": bytes of the device, "verbosity": "DETAILED",
   *  "tensors": [{"name", "input": bool, "dtype", "shape"}],
   *  "profiles": [[{"name", "shapes": [least, usual, greatest],
   *                 "values": the same for a shape input}]],
   *  "layers": per profile, or one list if all are equal: [[JSON of the library, as a text]]}
   */
  pgb_status (*engine)(pgb_instance* instance, const pgb_model* model,
                       const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* Delivers the result of network(), blanks, a line break, and the bytes of all "weights", one
   * after another with gaps: each weight's begin "at" bytes behind the line break. The blanks align
   * the bytes relative to the beginning. May be null. */
  pgb_status (*network_with_weights)(pgb_instance* instance, const pgb_model* model,
                                     const pgb_session_options* options, pgb_bytes_fn deliver,
                                     void* context);
} pgb_inspect;

/* The exported function. Returns null if the plugin does not support `host_abi_version`. */
typedef const pgb_backend* (*pgb_backend_fn)(uint32_t host_abi_version);
#define PGB_ENTRY_POINT "polygraphy_backend"

#ifdef __cplusplus
}
#endif
#endif /* POLYGRAPHY_BACKEND_H */
