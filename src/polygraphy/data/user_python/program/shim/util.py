"""Small helpers that scripts use."""
import os


def default(value, default):
    return default if value is None else value


def is_sequence(value):
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, dict))


def unpack_args(args, num):
    args = args if is_sequence(args) else (args,)
    return tuple(args[:num]) + (None,) * (num - len(args))


def unique_list(sequence):
    return list(dict.fromkeys(sequence))


def volume(shape):
    count = 1
    for dim in shape:
        count *= dim
    return count


def is_shape_dynamic(shape):
    return any(not isinstance(dim, int) or dim < 0 for dim in shape)


def is_dimension_dynamic(dim):
    return is_shape_dynamic((dim,))


def find_in_dirs(name_glob, dirs):
    import glob
    return [path for folder in dirs for path in glob.glob(os.path.join(folder, name_glob))]


def load_file(src, mode="rb", description=None):
    if hasattr(src, "read"):
        return src.read()
    with open(src, mode) as file:
        return file.read()


def save_file(contents, dest, mode="wb", description=None):
    if hasattr(dest, "write"):
        dest.write(contents)
        return dest
    with open(dest, mode) as file:
        file.write(contents)
    return dest
