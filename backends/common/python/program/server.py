"""Answers the plugin that started this process. process.h is the other side.

A message is eight bytes, its length, and its fields one after another: whole numbers of eight bytes, and texts, each
behind its length; all little endian.
"""
import importlib
import importlib.util
import os
import signal
import socket
import struct
import sys
import threading
import time
import traceback

from polygraphy_back_end import (Cancelled, ELEMENT_TYPES, FAILED, Failure, Feeds, Layout, Model, numpy_feed,
                                 numpy_wire, OPTIONAL, Options, Outputs, STRING_TYPE, STRINGS, TENSOR, UNAVAILABLE,
                                 UNSUPPORTED)


# ---- Messages

class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value, = struct.unpack_from("<q", self.data, self.at)
        self.at += 8
        return value

    def text(self):
        length = self.number()
        self.at += length
        return self.data[self.at - length:self.at].decode("utf-8", "surrogateescape")

    def numbers(self):
        return [self.number() for _ in range(self.number())]

    def texts(self):
        return [self.text() for _ in range(self.number())]


class Writer:
    def __init__(self):
        self.parts = []

    def number(self, value):
        self.parts.append(struct.pack("<q", int(value)))

    def text(self, value):
        data = str(value).encode("utf-8", "surrogateescape")
        self.number(len(data))
        self.parts.append(data)

    def numbers(self, values):
        self.number(len(values))
        for value in values:
            self.number(value)


class Channel:
    def __init__(self, descriptor):
        self.socket = socket.socket(fileno=descriptor)
        self.socket.set_inheritable(False)

    def receive(self):
        return Reader(self.exactly(struct.unpack("<Q", self.exactly(8))[0]))

    def exactly(self, count):
        data = bytearray(count)
        view = memoryview(data)
        while len(view):
            got = self.socket.recv_into(view)
            if not got:
                end_group()  # the plugin has gone
            view = view[got:]
        return bytes(data)

    def send(self, writer, descriptor=None):
        data = b"".join(writer.parts)
        data = struct.pack("<Q", len(data)) + data
        if descriptor is not None:
            socket.send_fds(self.socket, [data[:8]], [descriptor])
            os.close(descriptor)
            data = data[8:]
        self.socket.sendall(data)


# ---- Requests

def describe(message, tensors):
    message.number(len(tensors))
    for tensor in tensors:
        message.text(tensor.name)
        strings = tensor.dtype == "string"
        message.number(STRINGS if strings and tensor.kind == TENSOR else tensor.kind)
        message.number(STRING_TYPE if strings else ELEMENT_TYPES.get(tensor.dtype, (0, 0))[0])
        message.number(-1 if tensor.shape is None else len(tensor.shape))
        for dim in tensor.shape or ():
            message.number(dim if isinstance(dim, int) and dim >= 0 else -1)
            message.text(dim if isinstance(dim, str) else "")


def check_names(inputs, feeds):
    """Gives optional inputs that are left out None."""
    known = {tensor.name for tensor in inputs}
    for name in feeds:
        if name not in known:
            raise Failure("the model has no input '%s'" % name)
    for tensor in inputs:
        if tensor.name not in feeds and tensor.kind != OPTIONAL:
            raise Failure("the feed has no value for input '%s'" % tensor.name)
        feeds.setdefault(tensor.name, None)


class Server:
    def __init__(self, channel, feeds, module):
        self.channel, self.feeds, self.module = channel, feeds, module
        self.back_end, self.sessions, self.next = None, {}, 1
        self.busy = False

    def cancel(self, *_):
        if self.busy:
            self.busy = False
            raise Cancelled()

    def find(self, message):
        """Without importing the package, which may take seconds."""
        import importlib.metadata
        try:
            spec = importlib.util.find_spec(self.module.MODULE)
        except ImportError:  # there is no package around it
            spec = None
        if spec is None:
            raise Failure("%s has no %s" % (sys.executable, self.module.MODULE), status=UNAVAILABLE)
        try:
            version = importlib.metadata.version(getattr(self.module, "DISTRIBUTION", self.module.MODULE))
        except importlib.metadata.PackageNotFoundError:
            version = ""
        reply = self.ok()
        reply.text(version)
        reply.text(sys.executable)
        reply.number(getattr(self.module, "WANTS_TYPES", False))
        return reply

    def start(self):
        if self.back_end is None:
            self.back_end = self.module.BackEnd()
        return self.back_end

    def info(self, message):
        devices, ir_version, opset = self.module.info()
        reply = self.ok()
        reply.text(devices)
        reply.number(ir_version)
        reply.number(opset)
        return reply

    def load(self, message):
        path, size, folder, form = message.text(), message.number(), message.text(), message.text()
        data = bytes(self.feeds.view(size)[:size]) if size >= 0 else None
        options = [(message.text(), message.texts()) for _ in range(message.number())]
        profile = message.number() != 0
        declared = {}
        for _ in range(message.number()):
            name, rank = message.text(), message.number()
            declared[name] = None if rank < 0 else [message.number() for _ in range(rank)]
        model = Model(path, data, folder, form, declared)
        if hasattr(self.module, "refuse"):
            self.module.refuse(model)
        session = self.start().load(model, Options(options, profile))
        number, self.next = self.next, self.next + 1
        self.sessions[number] = session
        session.memory = Outputs()
        reply = self.ok()
        reply.number(number)
        describe(reply, session.inputs)
        describe(reply, session.outputs)
        return reply

    def infer(self, message):
        session, reuse, size = self.sessions[message.number()], message.number() != 0, message.number()
        view = self.feeds.view(size)
        to_value = getattr(self.back_end, "to_value", numpy_feed)
        to_wire = getattr(self.back_end, "to_wire", numpy_wire)
        feeds = {}
        for _ in range(message.number()):
            name = message.text()
            feeds[name] = self.feeds.read(message, view, to_value)
        check_names(session.inputs, feeds)
        values = session.infer(feeds)
        layout, written = Layout(), Writer()
        for name, value in values:
            written.text(name)
            layout.add(written, to_wire(value))
        descriptor = session.memory.make(layout.size, reuse)
        layout.fill(session.memory.memory)
        reply = self.ok()
        reply.number(descriptor is not None)
        reply.number(session.memory.size)
        reply.number(len(values))
        reply.parts += written.parts
        return reply, descriptor

    def profile(self, message):
        session = self.sessions[message.number()]
        if not hasattr(session, "profile"):
            raise Failure("it cannot time single nodes", status=UNSUPPORTED)
        reply, rows = self.ok(), session.profile()
        reply.number(len(rows))
        for node, op, kernel, microseconds in rows:
            reply.text(node)
            reply.text(op)
            reply.text(kernel)
            reply.number(microseconds * 1e3)
        return reply

    def unload(self, message):
        self.sessions.pop(message.number(), None)
        return self.ok()

    @staticmethod
    def ok():
        reply = Writer()
        reply.text("ok")
        return reply

    @staticmethod
    def refusal(error):
        reply = Writer()
        reply.text("failed")
        if isinstance(error, Failure):
            reply.number(error.status)
            reply.text(str(error))
            reply.text(error.hint)
            return reply
        reply.number(FAILED)
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
        text = text.split("\nException raised from")[0]  # the stack in C++ that torch appends
        reply.text("out of memory" if isinstance(error, MemoryError) and not str(error) else text)
        reply.text(user_trace(error))
        return reply

    def answer(self, message):
        try:
            self.busy = True
            reply = getattr(self, message.text())(message)
        finally:
            self.busy = False
        return reply

    def serve(self):
        while True:
            message = self.channel.receive()
            try:
                reply = self.answer(message)
            except BaseException as error:  # SystemExit of a script, too
                reply = self.refusal(error)
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except (AttributeError, OSError, ValueError):
                    pass  # a script has closed it
            self.channel.send(*reply) if isinstance(reply, tuple) else self.channel.send(reply)


def user_trace(error):
    """The place in a file of the user's that raised it; empty if no frame is in one."""
    lines = []
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith("<") and "site-packages" not in frame.filename and \
                not frame.filename.startswith(sys.base_prefix):
            lines.append('%s, line %d, in %s: %s' % (frame.filename, frame.lineno, frame.name, frame.line))
    return "\n".join(lines[-3:])


def end_with_parent(parent):
    """A computation that goes on for hours must not outlive the tool."""
    while os.getppid() == parent:
        time.sleep(1)
    end_group()


def end_group():
    """Ends this process, and processes that the model has started."""
    os.killpg(os.getpgrp(), signal.SIGKILL)


def serve(descriptor, feeds, parent, back_end):
    """`back_end`: the name of the module."""
    threading.Thread(target=end_with_parent, args=(parent,), daemon=True).start()
    server = Server(Channel(descriptor), Feeds(feeds), importlib.import_module(back_end))
    signal.signal(signal.SIGUSR1, server.cancel)
    server.serve()
