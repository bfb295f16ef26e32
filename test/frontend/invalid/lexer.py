# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""What cannot be cut into tokens: strings, numbers, brackets, indentation."""

# flags: --signature '*fp32'
# A string that does not end.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{this string is not closed on its line; add " at its end, or use """ for a string of several lines}}
    tl.store(p, "abc)

# -----

# flags: --signature '*fp32'
# A long string that does not end.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{this string is never closed; add """ at its end}}
    """Adds one
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A character that Python does not have.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:21 {{'$' is no operator here; names have letters, digits and '_'}}
    tl.store(p, 1.0 $ 2.0)

# -----

# flags: --signature '*fp32, i32'
# A question mark, as in C.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:23 {{'?' is no operator here; a conditional expression is 'a if condition else b'}}
    tl.store(p, n > 0 ? 1.0 : 2.0)

# -----

# flags: --signature '*fp32'
# Quotation marks of a word processor.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:35 {{the character U+201C cannot stand here; write "}}
    x = tl.load(p, cache_modifier=“.ca”)

# -----

# flags: --signature '*fp32'
# A hexadecimal number without digits.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{no digit of base 16 follows '0x'}}
    tl.store(p, 0x)

# -----

# flags: --signature '*fp32'
# A number that goes on as a name.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{'12abc' is neither a number nor a name: a name cannot begin with a digit}}
    tl.store(p, 12abc)

# -----

# flags: --signature '*fp32'
# Two underscores in a number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{'1__000' is neither a number nor a name: an underscore stands alone between two digits}}
    tl.store(p, 1__000)

# -----

# flags: --signature '*fp32'
# A number with a leading zero.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{an integer cannot begin with 0; drop the zeros, or write 0o for octal}}
    tl.store(p, 0123)

# -----

# flags: --signature '*fp32'
# A binary digit that is none.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{'0b102' is neither a number nor a name: digits of base 2 are 0 and 1}}
    tl.store(p, 0b102)

# -----

# flags: --signature '*fp32'
# An octal digit that is none.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{'0o18' is neither a number nor a name: digits of base 8 are 0 to 7}}
    tl.store(p, 0o18)

# -----

# flags: --signature '*fp32'
# An exponent without digits.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{'1e' is neither a number nor a name: no digits follow the exponent's e}}
    tl.store(p, 1e)

# -----

# flags: --signature '*fp32'
# An imaginary number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{an imaginary number is not supported in a kernel}}
    tl.store(p, 2j)

# -----

# flags: --signature '*fp32'
# A bracket that is never closed.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:16 {{'(' was never closed}}
    x = tl.load(p + (1 * 2)
    tl.store(p, x)

# -----

# flags: --signature '*fp32'
# A bracket that was never opened.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:19 {{')' has no opening '('; remove it}}
    x = tl.load(p))
    tl.store(p, x)

# -----

# flags: --signature '*fp32'
# A bracket closed by one of another kind.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+2:21 {{')' does not close '['}}
    # expected-note @+1:18 {{'[' was opened here}}
    x = tl.zeros([16), tl.float32)

# -----

# flags: --signature '*fp32'
# Something after a continuation.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:15 {{'\' is no operator here; a '\' that continues a line must be its last character}}
    x = 1.0 + \ 
        2.0
    tl.store(p, x)

# -----

# flags: --signature '*fp32'
# A line further in than it should be.
import triton, triton.language as tl
@triton.jit
def k(p):
    x = 1.0
      # expected-error @+1:7 {{this line is indented deeper than the block it stands in; align it with the line above}}
      y = 2.0
    tl.store(p, x)

# -----

# flags: --signature '*fp32, i32'
# A line further out that fits no block.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    if n:
        x = 1.0
      # expected-error @+1:1 {{unindent does not match any outer indentation level; indent this line by 4 or 8 columns, not 6}}
      tl.store(p, x)

# -----

# flags: --signature '*fp32, i32'
# Tabs and blanks that mean different depths.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    if n:
        x = 1.0
	# expected-error @+1:1 {{tabs and spaces are mixed in a way that depends on how wide a tab is; indent this line as the lines around it}}
	tl.store(p, x)

# -----

# flags: --signature '*fp32'
# A body that is not further in.
import triton, triton.language as tl
@triton.jit
# expected-error @+1:9 {{expected an indented block after the head of the function; indent its statements, or write 'pass'}}
def k(p):
tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A block without a statement.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:9 {{expected an indented block after the condition; indent its statements, or write 'pass'}}
    if n:
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# Only a comment for a body.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:22 {{expected an indented block after the head of the 'for' loop; indent its statements, or write 'pass'}}
    for i in range(n):
        # nothing yet
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A brace that is not closed in a formatted string.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:23 {{this field of the f-string is never closed; add '}', or write '{{' for a brace}}
    tl.static_print(f"{p")

# -----

# flags: --signature '*fp32'
# A single closing brace in a formatted string.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:24 {{a single '}' in an f-string; write '}}' for a brace}}
    tl.static_print(f"p}")

# -----

# flags: --signature '*fp32'
# An empty expression in a formatted string.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:24 {{expected an expression, found '}'}}
    tl.static_print(f"{}")

# -----

# flags: --signature '*fp32'
# A prefix that strings do not have.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+2:22 {{expected ',' or ')', found a string}}
    # expected-note @+1:20 {{'(' was opened here}}
    tl.static_print(x"text")

# -----

# flags: --signature '*fp32'
# An escape that is cut off.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:22 {{two hexadecimal digits follow '\x'}}
    tl.static_print("\x4")

# -----

# flags: --signature '*fp32'
# An integer beyond 64 bits.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:17 {{the integer does not fit 64 bits}}
    tl.store(p, 340282366920938463463374607431768211456)
