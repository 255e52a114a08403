// The program as a function: its signals, streams and environment around the command line.
#pragma once

// Ends the process with the exit code of the command. `variables` are the environment's, as main()
// gets them: `environ` would be a copy, which a C library other than the linker's does not know.
// The Python extension exports it, for the command of the wheel (tools/launcher).
extern "C" [[gnu::visibility("default")]] int polygraphy_program(int argc, char** argv,
                                                                 char** variables);
