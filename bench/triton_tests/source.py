# SPDX-License-Identifier: MIT
"""One text for the toolkit's front end out of a @triton.jit function: the function itself, what it
calls, and the constants that it reads, each pasted under the name by which it is called. Where two
files call different things by one name, one of them is renamed in the pasted text."""
import ast
import builtins
import enum
import inspect
import io
import re
import symtable
import textwrap
import tokenize
import types

import torch
import triton
import triton.language as tl
from triton.runtime.jit import ConstexprFunction, JITCallable, JITFunction

HEADER = "import triton\nimport triton.language as tl\n"


class NoText(Exception):
    """A value that has no text; the message says which."""


def outer_names(source):
    """The names that a function's or a class's text takes from around it."""
    table = symtable.symtable(source, "kernel", "exec")
    names = {s.get_name() for s in table.get_symbols() if s.is_referenced()}

    def walk(scope):
        for s in scope.get_symbols():
            if s.is_global() and s.is_referenced():
                names.add(s.get_name())
        for child in scope.get_children():
            walk(child)

    for child in table.get_children():
        walk(child)
    return sorted(names)


def rename(source, old, new):
    """`old` as a name of its own (no attribute, no keyword of a call)."""
    tokens, out, before = list(tokenize.generate_tokens(io.StringIO(source).readline)), [], None
    for i, t in enumerate(tokens):
        keyword = i + 1 < len(tokens) and tokens[i + 1].string == "=" and before in ("(", ",")
        if t.type == tokenize.NAME and t.string == old and before != "." and not keyword:
            t = t._replace(string=new)
        before = t.string
        out.append((t.type, t.string))
    return tokenize.untokenize(out)


def is_tritons(thing):
    return (getattr(thing, "__module__", None) or "").split(".")[0] == "triton" and \
        not (getattr(thing, "__module__", "") or "").startswith("triton._internal_testing")


class Text:
    def __init__(self):
        self.pieces = [HEADER]
        self.names = {"triton": triton, "tl": tl}
        self.busy = {}
        self.written = set()
        self.functions = {}  # a pasted piece: its lines that stand before the function's "def"

    def free_name(self, name):
        while name in self.names:
            name += "_"
        return name

    def named(self, thing, name):
        """The name under which `thing` is known from now on, `name` if that is free."""
        for known, other in self.names.items():
            if other is thing and (known == name
                                   or isinstance(thing, (JITCallable, type, types.FunctionType))):
                return known
        if name in self.names and self.same(self.names[name], thing):
            return name
        name = self.free_name(name)
        self.names[name] = thing
        return name

    @staticmethod
    def same(a, b):
        plain = (int, float, str, bool, type(None), tl.dtype)
        if isinstance(a, tl.constexpr) and isinstance(b, tl.constexpr):
            return Text.same(a.value, b.value)
        return a is b or (isinstance(a, plain) and type(a) is type(b) and a == b)

    # --- Values
    # ----------------------------------------------------------------------------------------------

    def value(self, v):
        """A value as the front end reads it in a file."""
        if isinstance(v, tl.constexpr):
            return f"tl.constexpr({self.value(v.value)})"
        if v is None or isinstance(v, (bool, int, str)) and not isinstance(v, enum.Enum):
            return repr(v)
        if isinstance(v, float):
            return repr(v) if abs(v) < float("inf") else f'float("{v}")'
        if isinstance(v, tl.pointer_type):
            return f"tl.pointer_type({self.value(v.element_ty)})"
        if isinstance(v, tl.dtype):
            return f"tl.{v.name}" if v.name != "void" else "tl.void"
        if isinstance(v, torch.dtype):
            self.module("torch", torch)
            return str(v)
        if isinstance(v, tuple) and hasattr(v, "_fields"):
            inner = ", ".join(f"{k}={self.value(x)}" for k, x in zip(v._fields, v))
            return f"{self.thing(type(v), type(v).__name__)}({inner})"
        if isinstance(v, (tuple, list, tl.tuple)):
            inner = ", ".join(self.value(x) for x in v)
            return f"[{inner}]" if isinstance(v, list) else f"({inner}{',' if len(v) == 1 else ''})"
        if isinstance(v, enum.Enum):
            return f"{self.thing(type(v), type(v).__name__)}.{v.name}"
        if isinstance(v, (JITCallable, type)) or callable(v):
            return self.thing(v, getattr(v, "__name__", "function"))
        raise NoText(f"a value of type {type(v).__name__}")

    def module(self, name, module):
        known = self.named(module, name)
        line = f"import {module.__name__} as {known}\n"
        if line not in self.pieces and known not in ("tl", "triton"):
            self.pieces.insert(1, line)
        return known

    # --- Things with a name
    # -------------------------------------------------------------------------------------

    def thing(self, thing, name):
        """The name in the text of what a file calls `name`."""
        if isinstance(thing, types.ModuleType):
            return self.module(name, thing)
        if id(thing) in self.busy:
            return self.busy[id(thing)]
        known = self.named(thing, name)
        if known in self.written:
            return known
        self.written.add(known)
        if isinstance(thing, JITCallable) and not is_tritons(thing.fn):
            self.paste_function(thing, known)
        elif isinstance(thing, tl.dtype) or isinstance(thing, tl.constexpr):
            self.pieces.append(f"{known} = {self.value(thing)}\n")
        elif (is_tritons(thing)
              or getattr(getattr(thing, "fn", None), "__module__", "").startswith("triton.")):
            source = thing.fn if isinstance(thing, JITCallable) else thing
            self.pieces.append(f"from {source.__module__} import {source.__name__} as {known}\n")
        elif isinstance(thing, type):
            self.paste_class(thing, known)
        elif isinstance(thing, types.FunctionType):
            self.paste_plain(thing, known)
        else:
            self.pieces.append(f"{known} = {self.value(thing)}\n")
        return known

    def bind_names(self, source, scope):
        """Pastes what `source` takes from `scope`, and gives `source` with the names that it
        got."""
        for name in outer_names(source):
            if name not in scope or name in ("triton", "tl") and scope[name] is self.names[name]:
                continue
            thing = scope[name]
            if thing is getattr(builtins, name, self):
                continue
            try:
                known = self.thing(thing, name)
            except NoText:
                self.names.pop(name, None)
                continue
            if known != name:
                source = rename(source, name, known)
        return source

    def paste(self, thing, known, name, source, scope, decorator):
        self.busy[id(thing)] = known
        source = self.bind_names(source, scope)
        if known != name:
            source = re.sub(rf"^(def|class) {name}\b", rf"\1 {known}", source, count=1, flags=re.M)
        self.busy.pop(id(thing))
        piece = f"\n{decorator}{source}\n"
        self.functions[piece] = (1 + decorator.count("\n"), source)
        self.pieces.append(piece)

    def paste_function(self, jit, known):
        is_constexpr = isinstance(jit, ConstexprFunction)
        decorator = "@triton.constexpr_function\n" if is_constexpr else "@triton.jit\n"
        if getattr(jit, "noinline", False):
            decorator = "@triton.jit(noinline=True)\n"
        name = re.search(r"^def\s+(\w+)", jit.src, re.M).group(1)
        self.paste(jit, known, name, jit.src, jit.get_capture_scope(), decorator)

    def paste_plain(self, function, known):
        source = textwrap.dedent(inspect.getsource(function))
        if not source.startswith(("def ", "@")):
            raise NoText("a lambda of the host")
        scope = dict(function.__globals__)
        scope.update(zip(function.__code__.co_freevars,
                         (c.cell_contents for c in function.__closure__ or ())))
        self.paste(function, known, function.__name__, source, scope, "")

    def paste_class(self, cls, known):
        if (issubclass(cls, tuple) and hasattr(cls, "_fields")
                and "typing" not in str(cls.__dict__.get("__orig_bases__", ""))):
            fields = ", ".join(repr(f) for f in cls._fields)
            self.pieces.append("from collections import namedtuple\n"
                               f"{known} = namedtuple({cls.__name__!r}, [{fields}])\n")
            return
        try:
            source = textwrap.dedent(inspect.getsource(cls))
        except (OSError, TypeError):
            raise NoText(f"a class without a text, {cls.__name__}") from None
        import sys
        scope = dict(vars(sys.modules[cls.__module__]))
        for member in vars(cls).values():
            if isinstance(member, JITCallable):
                scope.update(member.get_capture_scope())
        self.paste(cls, known, cls.__name__, source, scope, "")

    def __str__(self):
        return "".join(self.pieces)

    def place(self, line):
        """(text of the function that holds the line, the line in it), counted as Triton does;
        (None, line) outside."""
        for piece in self.pieces:
            lines = piece.count("\n")
            if line <= lines and piece in self.functions:
                before, source = self.functions[piece]
                return source, line - before
            line -= lines
            if line <= 0:
                break
        return None, line


# --- Signatures
# ---------------------------------------------------------------------------------------------


def signature_value(text, v):
    """A compile-time value in a signature: as it is where the signature can say it, else a constant
    of the file."""
    if isinstance(v, tl.constexpr):
        return signature_value(text, v.value)
    if v is None or isinstance(v, (bool, int)) and not isinstance(v, enum.Enum):
        return repr(v)
    if isinstance(v, JITCallable):
        return text.value(v)
    if isinstance(v, tl.dtype) and not isinstance(v, tl.pointer_type):
        return f"tl.{v.name}"
    if isinstance(v, str) and not set(v) & set("'\"\\\n,"):
        return f"'{v}'"
    if isinstance(v, tuple) and not hasattr(v, "_fields"):
        return f"({', '.join(signature_value(text, x) for x in v)}{',' if len(v) == 1 else ''})"
    constant = text.free_name("argument")
    text.names[constant] = v
    try:
        value = text.value(v)
    except NoText:  # an object that a kernel cannot look into: one like another
        value = repr(str(v))
    text.pieces.append(f"{constant} = {value}\n")
    return constant


def signature_entry(text, kind, constants, attributes, path, annotated):
    """One parameter. `path` leads to it: (i,) for parameter i, (i, k) for a part of a tuple."""
    if isinstance(kind, (tuple, list)):
        parts = [signature_entry(text, k, constants, attributes, path + (i,), True)
                 for i, k in enumerate(kind)]
        inner = f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        if hasattr(kind, "_fields"):
            return text.thing(type(kind), type(kind).__name__) + inner
        return inner
    if kind == "constexpr":
        value = constants.get(path)
        if not annotated and type(value) is int and value == 1:
            return "i32:1"
        return signature_value(text, value)
    divisible = any(a[0] == "tt.divisibility" for a in attributes.get(path, ()) or ())
    return kind + (":16" if divisible else "")


def make(src, padding=()):
    """(Text, name of the kernel, signature) for an ASTSource."""
    text, jit, entries = Text(), src.fn, []
    kernel = text.thing(jit, jit.__name__)
    for i, parameter in enumerate(jit.params):
        kind = src.signature.get(parameter.name)
        if kind is None:
            kind = "constexpr"
            if (i,) not in src.constants and parameter.has_default:
                src.constants[(i,)] = parameter.default
        if (i,) in padding and isinstance(kind, str):
            kind = kind.removesuffix(">") + f",{padding[(i,)]}>"
        entries.append(signature_entry(text, kind, src.constants, src.attrs, (i,),
                                       parameter.is_constexpr))
    return text, kernel, ", ".join(entries)
