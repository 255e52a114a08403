// This process, its user, its machine and its terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace polygraphy {

int64_t process_id();
uint32_t user_id();             // with the permissions of which it runs
std::string machine_name();     // "unknown": it has none
std::string executable_path();  // empty: the system does not say

// The processors that this thread may use; empty: not known.
std::vector<int> allowed_processors();
// This thread, and what it starts, runs on these.
void run_on(const std::vector<int>& processors);

// SIGTERM comes when the process that started this one ends.
void end_with_parent();
// SIGTERM for another process, which is woken if it is stopped.
void ask_to_end(int process);

// The result of `main`, which runs in a separate thread where the system gives this one less stack
// (`ulimit -s`) than recursion and engines take. All later threads have that, too.
int with_usual_stack(const std::function<int()>& main);

// Of the environment, for this process and those that it starts.
void set_variable(const std::string& name, const std::string& value);

// A program, searched in PATH, takes the place of this one, with its variables of the environment
// and this one. Returns if it cannot be started.
void become(std::vector<std::string> words, const std::string& variable, const std::string& value);

bool is_terminal(int fd);
// 0: not a terminal, or its width is not known.
int terminal_columns(int fd);

}  // namespace polygraphy
