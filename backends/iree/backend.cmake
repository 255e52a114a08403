# iree.py runs in the user's Python.
pg_python_back_end(iree)
