"""units_test.py SCRIPT COMPILER: which sources cmake/units.py puts together; their units compile."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEADER = """
#pragma once
namespace house {
int doors(int floor);
enum class Kind { kOptions };
struct Rule {
  int (*apply)(int);
};
int rooms();
}
"""


class Units(unittest.TestCase):
    def units(self, **sources):
        """The stems of the sources of each unit, sorted. Every unit is compiled."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "house.h").write_text(HEADER)
            paths = []
            for stem, text in sources.items():
                paths.append(root / f"{stem}.cpp")
                if not re.search("namespace house|#if", text):
                    text = f"namespace house {{\n{text}\n}}\n"
                paths[-1].write_text('#include "house.h"\n' + text)
            (root / "sources.txt").write_text("|".join(["t", *map(str, paths)]) + "\n")
            command = [sys.executable, "-B", SCRIPT, root / "sources.txt", root / "out", root]
            subprocess.run(command, check=True)
            _, *units = (root / "out/units.txt").read_text().strip().split("|")
            for unit in units:
                command = [COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
                done = subprocess.run([*command, "-I", root, unit], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
            found = []
            for unit in map(pathlib.Path, units):
                included = re.findall(r'#include ".*?(\w+)\.cpp"', unit.read_text())
                found.append(" ".join(included or [unit.stem]))
            return sorted(found)

    def numbered(self, text):
        """Which names of a source have numbers in its unit."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "a.cpp").write_text(f"namespace house {{\n{text}\n}}\n")
            (root / "b.cpp").write_text("int b() { return 1; }\n")
            (root / "sources.txt").write_text(f"t|{root / 'a.cpp'}|{root / 'b.cpp'}\n")
            command = [sys.executable, "-B", SCRIPT, root / "sources.txt", root / "out", root]
            subprocess.run(command, check=True)
            unit = (root / "out/t/unit0.cpp").read_text()
            return set(re.findall(r"#define (\w+) \1_0", unit))

    def test_sources_without_names_in_common_are_one_unit(self):
        self.assertEqual(self.units(a="int a() { return 1; }", b="int b() { return 2; }"), ["a b"])

    def test_equal_private_names_are_numbered(self):
        text = "namespace {{ constexpr int kOptions = {0}; }}\nint f{0}() {{ return kOptions; }}"
        self.assertEqual(self.units(a=text.format(1), b=text.format(2)), ["a b"])

    def test_functions_that_libraries_call_keep_their_names(self):
        self.assertEqual(self.numbered("namespace { struct Case {}; void PrintTo(const Case&, int*) {} }"), {"Case"})

    def test_a_member_that_is_initialized_is_no_name_of_the_source(self):
        self.assertEqual(self.numbered("struct S { int a_, b_; S(int a, const int b); };\n"
                                       "S::S(int a, const int b) : a_(a), b_{b} {}"), set())

    def test_a_name_that_is_a_field_as_well_keeps_them_apart(self):
        text = "namespace {{ int apply(int a) {{ return a; }} }}\n" \
               "extern const Rule r{0};\nconst Rule r{0} = {{.apply = apply}};"
        self.assertEqual(self.units(a=text.format(1), b=text.format(2)), ["a", "b"])

    def test_a_private_name_that_another_has_from_a_header_keeps_them_apart(self):
        self.assertEqual(
            self.units(a="namespace { int doors(long) { return 1; } }\nint a() { return doors(2L); }",
                       b="int b() { return doors(2); }"),
            ["a", "b"])

    def test_a_private_name_is_not_what_a_header_declares(self):
        self.assertEqual(
            self.units(a="namespace { int windows() { return 1; } }\nint a() { return windows(); }",
                       b="namespace { int windows() { return 2; } }\nint b() { return windows(); }"),
            ["a b"])

    def test_aliases_are_one_only_where_they_say_the_same(self):
        same = "using Number = int;\nNumber f{0}() {{ return 0; }}"
        self.assertEqual(self.units(a=same.format(1), b=same.format(2)), ["a b"])
        self.assertEqual(self.units(a=same.format(1), b=same.format(2).replace("int", "long")), ["a", "b"])

    def test_enumerators_without_a_class_are_private_names(self):
        text = "namespace {{ enum {{ kFirst, kSecond }}; }}\nint f{0}() {{ return kFirst + kSecond; }}"
        self.assertEqual(self.units(a=text.format(1), b=text.format(2)), ["a b"])

    def test_a_constant_that_others_link_with_keeps_its_name(self):
        self.assertEqual(self.numbered("extern const int kDoors;\nconst int kDoors = 2; extern const int kRooms = 1;"
                                       "const int kPrivate = 1;"), {"kPrivate"})

    def test_what_a_test_is_called_keeps_its_name(self):
        self.assertEqual(self.numbered("namespace { class House { }; class Yard { }; }\n"
                                       "TEST_F(House, Stands) { Yard yard; }"), {"Yard"})

    def test_words_of_the_compiler_are_no_names(self):
        text = "namespace {{ int __attribute__((noinline)) one() {{ return 1; }} }}\n" \
               "int f{0}() {{ return one(); }}"
        self.assertEqual(self.units(a=text.format(1), b=text.format(2)), ["a b"])

    def test_words_in_strings_and_comments_do_not_count(self):
        self.assertEqual(
            self.units(a="namespace { int walls() { return 1; } }\nint a() { return Rule{}.apply ? 1 : walls(); }",
                       b='// walls\nconst char* b() { return R"(walls)"; }'),
            ["a b"])

    def test_a_macro_occurs_in_no_other_source(self):
        macros = "#define NUMBER {0}\nnamespace house {{ int f{0}() {{ return NUMBER; }} }}"
        self.assertEqual(self.units(a=macros.format(1), b=macros.format(2), c="int c() { return 3; }"),
                         ["a c", "b"])
        self.assertEqual(self.units(a="#define TWICE(name) int name() { return 2; }\n"
                                      "namespace house { namespace { TWICE(two) } int a() { return two(); } }",
                                    b="int b() { return 3; }"), ["a b"])

    def test_a_source_with_a_pragma_is_the_last(self):
        self.assertEqual(self.units(a='#pragma GCC diagnostic ignored "-Wshadow"\nnamespace house {}',
                                    b="int b() { return 3; }"), ["b a"])

    def test_a_source_that_includes_by_condition_is_alone(self):
        self.assertEqual(self.units(a="#ifdef ONE\n#include <one.h>\n#endif\nint a() { return 1; }",
                                    b="int b() { return 1; }"), ["a", "b"])


if __name__ == "__main__":
    COMPILER, SCRIPT = sys.argv.pop(), sys.argv.pop()
    unittest.main()
