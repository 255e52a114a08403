/* The boundary between polygraphy and its back ends: plain C, versioned. The only header of
 * polygraphy that a back end includes.
 *
 * A back end is a shared object named polygraphy_<name>.so that exports one function,
 * polygraphy_backend(). It opens its vendor library itself, at run time (dlopen, RTLD_LOCAL), and
 * keeps every API table in its instance, so that two versions of one library live side by side.
 * polygraphy finds it in its own folder of back ends, in those that POLYGRAPHY_BACKENDS names, and
 * where
 * --backend-path says. `polygraphy backends --check` runs the cases that every back end passes.
 *
 * Rules
 *  - Structs that begin with `struct_size` grow at their end without a new PGB_ABI_VERSION: the
 *    maker writes the size as it knows it, and a reader uses only fields that lie within it. The
 *    others stand in arrays and change only with the version. So a field is added when the first
 *    back end needs it, and not before: progress belongs to pgb_host then, memory of devices to
 *    pgb_value.
 *  - No exception crosses. A call that fails returns a status and reports once through
 *    pgb_host.set_error.
 *  - Strings are UTF-8, zero-terminated unless a size is given; they belong to their maker and
 *    live at least until the call returns (results of plugin calls: until the object they came
 *    from is freed).
 *  - Calls on one instance or session come from one thread at a time.
 */
#ifndef POLYGRAPHY_BACKEND_H
#define POLYGRAPHY_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PGB_ABI_VERSION 2u

typedef enum pgb_status {
  PGB_OK = 0,
  PGB_FAILED = 1,      /* the model, the feeds or the library: the message says which */
  PGB_UNAVAILABLE = 2, /* library not found or not usable here */
  PGB_UNSUPPORTED = 3, /* a feature that this back end lacks */
  PGB_CANCELLED = 4,
  PGB_BAD_OPTION = 5 /* the value of an option: the message stands for itself */
} pgb_status;

/* Severities are the numbers of polygraphy's logger:
 * 10 verbose, 20 info, 22 start, 28 finish, 30 warning, 40 error. */
typedef int32_t pgb_severity;

typedef enum pgb_value_kind {
  PGB_TENSOR = 1,
  PGB_STRINGS = 2,  /* a string tensor: shape, `offsets`, `data` = all bytes one after another */
  PGB_SEQUENCE = 3, /* `items` */
  PGB_MAP = 4,      /* two items: keys and values, each a tensor or strings of one dimension */
  PGB_OPTIONAL = 5  /* one item, or none */
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
  int32_t rank;                 /* -1: not known; of sequences and optionals: of what they hold */
  const int64_t* dims;          /* -1: not known */
  const char* const* dim_names; /* may be null; entries may be null or empty */
} pgb_tensor_info;

/* An option as typed by the user: values in order; a flag has none. */
typedef struct pgb_key_values {
  const char* key; /* pgb_option_spec.key */
  const char* const* values;
  size_t value_count;
} pgb_key_values;

/* The next batch to calibrate with, for a network with these inputs, dimensions included: 1 with
 * values that live until the next call, 0 after the last, -1 where there is none to be had, which
 * the host reports itself. `first`: begin anew. From the calling thread only. */
typedef int (*pgb_batch_fn)(void* context, int32_t first, const pgb_tensor_info* inputs,
                            size_t input_count, const pgb_named_value** batch, size_t* value_count);

/* How a model is loaded. */
typedef struct pgb_session_options {
  size_t struct_size;
  const pgb_key_values* options; /* in order; one that repeats has an entry per occurrence */
  size_t option_count;
  /* Non-zero: */
  int32_t profile;    /* infer() times each node, for profile() */
  int32_t single_run; /* infer() is called a few times at most: what a run frees goes back to the
                         system, and threads that wait for work sleep at once */
  int32_t verbatim;   /* messages are the library's own, with nothing added or left out */
  /* What the user says of the model's inputs (--input-shapes), in order. */
  const pgb_tensor_info* declared_inputs;
  size_t declared_input_count;
  /* For builders that calibrate; null: there is nothing to calibrate with. */
  pgb_batch_fn next_batch;
  void* batches; /* next_batch's context */
} pgb_session_options;

typedef struct pgb_model {
  size_t struct_size;
  const char* path;  /* may be null when bytes are given */
  const void* bytes; /* may be null: load from path */
  size_t byte_count;
  const char* external_data; /* folder of external data for models given as bytes; may be null */
  const char* format; /* one of pgb_backend_options.formats: "onnx", or what an artefact is */
  /* For PGB_WANTS_NAMES: the graph's inputs (without those that are initializers) and outputs, in
   * order; null when they could not be read. */
  const char* const* input_names;
  size_t input_count;
  const char* const* output_names;
  size_t output_count;
} pgb_model;

/* What the host offers. Valid as long as the instance. */
typedef struct pgb_host {
  size_t struct_size;
  void* context;
  /* From any thread. Each text is one message. */
  void (*log)(void* context, pgb_severity severity, const char* module, const char* text);
  /* Non-zero when such a message would be shown: ask before building expensive texts. From the
   * calling thread only. */
  int (*log_enabled)(void* context, pgb_severity severity, const char* module);
  /* `message`: what was seen and where; `hint`: what to do, may be null. Called at most once per
   * failing call. */
  void (*set_error)(void* context, const char* message, const char* hint);
  /* Non-zero: stop as soon as it is safe and return PGB_CANCELLED. From any thread. Null: calls
   * are never cancelled. */
  int (*cancelled)(void* context);
  /* Where the host would like outputs to lie, since it need not copy them from there. Both null
   * where any memory will do. From any thread; allocate() returns null when there is no memory.
   * Outputs that the host retains are released before the instance is closed. */
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
  const char* kernel; /* the library's own name of the implementation; may be null */
  double microseconds;
} pgb_node_time;
typedef void (*pgb_node_time_fn)(void* context, const pgb_node_time* row);

/* pgb_backend.capabilities() */
#define PGB_EXTERNAL_FOLDER 1u /* load() from bytes honours pgb_model.external_data */
#define PGB_WANTS_NAMES 2u     /* load() needs the names of the model's inputs and outputs */
#define PGB_MAPS_WEIGHTS \
  4u /* with PGB_EXTERNAL_FOLDER: external data is mapped, at any offset of a file */
#define PGB_WANTS_TYPES 8u /* outputs need types, those that were marked, too */

/* ---- What a back end adds to the command line: pure data ---- */

typedef enum pgb_option_type {
  PGB_TEXT = 0,
  PGB_INTEGER = 1,
  PGB_NUMBER = 2, /* a floating-point number */
  PGB_PATH = 3,   /* a file; load() receives it relative to the process's folder, or absolute */
  PGB_FOLDER = 4, /* the same of a folder */
  PGB_WRITTEN_FILE = 5,  /* the same of a file that is made or replaced */
  PGB_UPDATED_FILE = 6,  /* the same of one that is read, if it is there, and written */
  PGB_SHAPE = 7,         /* NAME:SHAPE, as --input-shapes: "x:[n,3]"; load() receives "x:[-1,3]" */
  PGB_SIZE = 8,          /* NAME:BYTES: "workspace:1G"; load() receives "workspace:1073741824" */
  PGB_WRITTEN_FOLDER = 9 /* as PGB_FOLDER, of one that files are written to */
} pgb_option_type;

typedef struct pgb_option_spec {
  const char* spellings; /* space separated, the first long one is its name: "--threads -t"; null:
                            only programs give it */
  const char* key;       /* pgb_key_values.key */
  const char* nargs;     /* "0" a flag, "1", "?", "+", "*" */
  const char* metavar;   /* may be null */
  const char* choices;   /* space separated; null: anything */
  const char* help;
  const char* heading; /* in help; null: the back end's title */
  const char* instead; /* not null: the option is deprecated, and this is what replaces it */
  int32_t type;        /* pgb_option_type of each value */
  int32_t repeats;     /* 1: every occurrence counts, not only the last */
  int32_t exclusive; /* options of one back end with the same number exclude each other; 0: none */
  int32_t required;  /* 1: where the back end's runner flag is given */
  int32_t ours; /* 1: not an option of the original: typed in full, takes no part in abbreviation */
} pgb_option_spec;

/* A form that models come in. */
typedef struct pgb_model_format {
  const char* name; /* of --model-type: "onnx", "engine" */
  /* Space-separated glob patterns of file names; those of folders end in a slash: "*.onnx",
   * "saved_*" followed by "/". Empty: only --model-type tells. */
  const char* patterns;
} pgb_model_format;

/* Options by which one engine computes in another way, though not other results: keys of
 * pgb_backend_options.options, each null where there is none. What `check consistency` varies. */
typedef struct pgb_switches {
  size_t struct_size;
  const char* threads;           /* a number: how many threads one inference has */
  const char* level;             /* one of `levels`: how far the model is optimised */
  const char* const* levels;     /* from least to most; null-terminated */
  const char* disable;           /* "+": names of `optimizers` that are left out */
  const char* const* optimizers; /* null-terminated */
  /* A file which load() leaves behind: the model as the library has made it, to be loaded as
   * `saved_format`, one of pgb_backend_options.formats; if that is "onnx", with the first of
   * `levels`, since it is optimised already. */
  const char* save;
  const char* saved_format;
  /* A folder in which load() keeps what it compiles, and from which another load() of the same
   * model takes it. */
  const char* cache;
} pgb_switches;

typedef struct pgb_backend_options {
  size_t struct_size;
  const char* name;           /* "onnxrt" for polygraphy_onnxrt.so */
  const char* flags;          /* runner flags: "--onnxrt"; aliases space separated */
  int32_t flags_ours;         /* 1: the runner flags are not the original's */
  const char* runner_prefix;  /* "onnxrt-runner": how its runners are named in logs and results */
  const char* title;          /* heading in help: "ONNX-Runtime Session Creation" */
  const char* summary;        /* one line for --help and `polygraphy backends` */
  const char* remedy;         /* what to install when its library is missing */
  const char* library_env;    /* environment variable that names the library; may be null */
  const char* library_option; /* "--onnxrt-lib"; may be null */
  /* Where wheels and system packages put the library, as glob patterns relative to a site-packages
   * folder, and as plain sonames for the system's loader. Null-terminated; may be null. */
  const char* const* site_packages_patterns;
  const char* const* sonames;
  const pgb_model_format* formats; /* that load() takes, or build() */
  size_t format_count;
  const pgb_option_spec* options;
  size_t option_count;
  int32_t
      own_process; /* 1: its runners get a process of their own: the library is known to crash */
  /* Not null: it runs in the user's Python, where this module is its library. `search` of open()
   * has the interpreter, and so has library_option. */
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
  /* PGB_*: what load() with these options does with this version of the library. */
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
  /* What only some back ends do, as tables with names: null for a name that it does not know. May
   * be null. */
  const void* (*extension)(const char* name);
} pgb_backend;

/* extension("build"): compiling apart from loading. */
#define PGB_BUILD "build"
typedef struct pgb_build {
  size_t struct_size;
  const char* format; /* of the artefacts: load() takes them under this name */
  /* Delivers the artefact of a model of another of pgb_backend_options.formats, once it is whole: a
   * failure after that is of what is written beside it (a cache), and the host keeps the artefact.
   */
  pgb_status (*build)(pgb_instance* instance, const pgb_model* model,
                      const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* pgb_option_spec.key of the option that names the file which the artefact is saved to, by the
   * host, before it is loaded; may be null. */
  const char* save_option;
} pgb_build;

/* extension("precision"): what a library computes in, which may be another format than was asked of
 * it. */
#define PGB_PRECISION "precision"
typedef struct pgb_precision {
  size_t struct_size;
  /* The format of numbers that a loaded model is computed in, by its name in ONNX ("float32",
   * "bfloat16"), as long as the session; null: that is not known. */
  const char* (*precision)(pgb_session* session);
} pgb_precision;

/* extension("inspect"): what a library that compiles models says of one, as JSON texts. */
#define PGB_INSPECT "inspect"
typedef struct pgb_inspect {
  size_t struct_size;
  /* The network that the library makes of a model:
   * {"name", "flags": [names], "inputs": [tensor], "outputs": [tensor],
   *  "layer_precisions": whether layers can be told in which precision to compute,
   *  "layers": [{"name", "type", "op", "inputs": [tensor], "outputs": [tensor],
   *              "attributes": [{"name", and one of "int", "float", "bool", "text",
   *                              "enum": "Type.NAME", "object": its name, "dims": [numbers],
   *                              "permutation": [numbers], "floats": [numbers],
   *                              "weights": {"dtype", "count", "at"}}]}]}
   * A tensor is {"name", "dtype": number in ONNX, "shape": [-1 where open] or null, "executed":
   * false where its values are known before the execution}, or null for one that is left out. "op":
   * the type, or what stands for it where a type has kinds. */
  pgb_status (*network)(pgb_instance* instance, const pgb_model* model,
                        const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* What of a model the library takes; nodes are counted from 0 in the model's order:
   * {"supported": bool,
   *  "errors": [{"node": number or -1, "name", "operator", "reason", "functions": [names]}],
   *  "subgraphs": [{"supported": bool, "nodes": [numbers]}]}
   * A subgraph has nodes without errors; it is supported if it is known to be one by itself. */
  pgb_status (*capability)(pgb_instance* instance, const pgb_model* model,
                           const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* What an artefact is (pgb_build.format). May be null.
   * {"name", "refittable": bool, "memory": bytes of the device, "verbosity": "DETAILED",
   *  "tensors": [{"name", "input": bool, "dtype", "shape"}],
   *  "profiles": [[{"name", "shapes": [least, usual, greatest],
   *                 "values": the same of an input whose values are shapes}]],
   *  "layers": per profile, one list where they are the same: [[JSON of the library, as a text]]}
   */
  pgb_status (*engine)(pgb_instance* instance, const pgb_model* model,
                       const pgb_session_options* options, pgb_bytes_fn deliver, void* context);
  /* What network() delivers, blanks, a line break, and the bytes of all "weights", one after
   * another with gaps: those of each begin "at" bytes behind the line break, which stands where
   * they are aligned as the whole is. May be null. */
  pgb_status (*network_with_weights)(pgb_instance* instance, const pgb_model* model,
                                     const pgb_session_options* options, pgb_bytes_fn deliver,
                                     void* context);
} pgb_inspect;

/* The exported function. Returns null when the plugin does not speak `host_abi_version`. */
typedef const pgb_backend* (*pgb_backend_fn)(uint32_t host_abi_version);
#define PGB_ENTRY_POINT "polygraphy_backend"

#ifdef __cplusplus
}
#endif
#endif /* POLYGRAPHY_BACKEND_H */
