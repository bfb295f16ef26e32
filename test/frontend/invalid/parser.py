# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""What the grammar does not have."""

# flags: --signature '*fp32, i32'
# No colon after a condition.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:13 {{expected ':' after the condition, found the end of the line}}
    if n > 3
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# No colon after a loop.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:22 {{expected ':' after the head of the 'for' loop, found the end of the line}}
    for i in range(n)
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# No colon after the parameters.
import triton, triton.language as tl
@triton.jit
# expected-error @+1:9 {{expected ':' after the head of the function, found the end of the line}}
def k(p)
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# An assignment for a comparison.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:10 {{expected ':' after the condition, found '='; '==' compares}}
    if n = 3:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# An assignment to a number.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{cannot assign to a number; only names, attributes, subscripts and tuples of these can be targets}}
    3 = tl.load(p)

# -----

# flags: --signature '*fp32'
# An assignment to a call.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{cannot assign to a call; only names, attributes, subscripts and tuples of these can be targets ('==' compares)}}
    tl.load(p) = 3.0

# -----

# flags: --signature '*fp32, i32'
# An assignment to a sum.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:5 {{cannot assign to an operation; only names, attributes, subscripts and tuples of these can be targets}}
    n + 1 = 3

# -----

# flags: --signature '*fp32, i32'
# An augmented assignment to a tuple.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:5 {{an augmented assignment needs one name, attribute or subscript on its left, not a tuple}}
    p, n += 1

# -----

# flags: --signature '*fp32'
# A keyword for a name.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:12 {{expected the name of a parameter, found '='}}
    lambda = 3

# -----

# flags: --signature '*fp32, i32'
# A keyword for a parameter.
import triton, triton.language as tl
@triton.jit
# expected-error @+1:10 {{expected the name of a parameter, found 'in', which is a keyword; choose another name}}
def k(p, in):
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# An else without if.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{this 'else' belongs to no 'if', 'for', 'while' or 'try'; is it indented as the 'if', 'for', 'while' or 'try' is?}}
    else:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# An elif after an else.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    if n:
        pass
    else:
        pass
    # expected-error @+1:5 {{this 'elif' belongs to no 'if'; is it indented as the 'if' is?}}
    elif n == 2:
        pass

# -----

# flags: --signature '*fp32'
# A positional argument after a named one.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+2:24 {{a positional argument after a keyword argument; move it before that or give its name}}
    # expected-note @+1:13 {{the keyword argument}}
    tl.load(pointer=p, None)

# -----

# flags: --signature '*fp32'
# The same argument twice.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:27 {{tl.load: the argument 'mask' is given twice}}
    tl.load(p, mask=None, mask=None)

# -----

# flags: --signature '*fp32, i32'
# The same parameter twice.
import triton, triton.language as tl
@triton.jit
# expected-error @+2:10 {{two parameters are named 'p'; rename one}}
# expected-note @+1:7 {{the first one}}
def k(p, p):
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A parameter without a default after one with one.
import triton, triton.language as tl
@triton.jit
# expected-error @+2:15 {{'n' needs a default, as a parameter before it has one}}
# expected-note @+1:7 {{the parameter with a default}}
def k(p=None, n):
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# No comma between arguments.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+2:16 {{expected ',' or ')', found '1.0'}}
    # expected-note @+1:13 {{'(' was opened here}}
    tl.store(p 1.0)

# -----

# flags: --signature '*fp32, i32'
# No comma between parameters.
import triton, triton.language as tl
@triton.jit
# expected-error @+2:9 {{expected ',' or ')', found 'n'}}
# expected-note @+1:6 {{'(' was opened here}}
def k(p n):
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# A loop without in.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:11 {{expected 'in' after the variable of the 'for' loop, found '='}}
    for i = 0, n:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# An operand is missing.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:22 {{expected an expression, found ')'}}
    tl.store(p, 1.0 +)

# -----

# flags: --signature '*fp32'
# An operator is missing.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:13 {{expected the end of the statement, found '3.0'; is an operator, a comma or a bracket missing before it?}}
    x = 2.0 3.0

# -----

# flags: --signature '*fp32, i32'
# C's logical and.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:14 {{there is no operator '&&'; write 'and'}}
    if n > 1 && n < 5:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# C's logical or.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:14 {{there is no operator '||'; write 'or'}}
    if n > 1 || n < 5:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# C's not.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:8 {{'!' is no operator here; write 'not' for negation, '!=' for inequality}}
    if !n:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# C's increment.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:6 {{there is no operator '++'; write '+= 1'}}
    n++

# -----

# flags: --signature '*fp32, i32'
# The old inequality.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:11 {{there is no operator '<>'; write '!='}}
    if n <> 3:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A print statement.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:11 {{expected the end of the statement, found 'p'; is an operator, a comma or a bracket missing before it?}}
    print p

# -----

# flags: --signature '*fp32, i32'
# A brace for a block.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:10 {{expected ':' after the condition, found '{'}}
    if n {
        tl.store(p, 1.0)
    }

# -----

# flags: --signature '*fp32'
# Two statements in a line.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:13 {{expected the end of the statement, found 'tl'; is an operator, a comma or a bracket missing before it?}}
    x = 1.0 tl.store(p, x)

# -----

# flags: --signature '*fp32'
# A semicolon too many.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:13 {{expected an expression, found ';'}}
    x = 1.0;; tl.store(p, x)

# -----

# flags: --signature '*fp32'
# An index that is empty.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:11 {{expected an expression, found ']'}}
    x = p[]

# -----

# flags: --signature '*fp32, i32'
# A conditional expression without else.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:17 {{expected 'else' in the conditional expression, found the end of the line; write 'a if condition else b'}}
    x = 1.0 if n

# -----

# flags: --signature '*fp32, i32'
# Not equal written the wrong way round.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:10 {{expected ':' after the condition, found '='; '==' compares}}
    if n =! 3:
        tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# An arrow for an attribute.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:10 {{expected the end of the statement, found '->'; is an operator, a comma or a bracket missing before it?}}
    x = p->dtype

# -----

# flags: --kernel k --signature '*fp32'
# A decorator without a function.
import triton, triton.language as tl
@triton.jit
# expected-error @+1:1 {{expected 'def' or 'class' below the decorator, found 'x'}}
x = 3

@triton.jit
def k(p):
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32'
# A function without parentheses.
import triton, triton.language as tl
@triton.jit
# expected-error @+1:6 {{expected '(' after the name of the function, found ':'}}
def k:
    tl.store(p, 1.0)

# -----

# flags: --signature '*fp32, i32'
# Several errors in one kernel, all of them told.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:10 {{expected ':' after the condition, found '='; '==' compares}}
    if n = 3:
        pass
    # expected-error @+1:13 {{expected the end of the statement, found '3.0'; is an operator, a comma or a bracket missing before it?}}
    x = 2.0 3.0
    # expected-error @+2:16 {{expected ',' or ')', found 'x'}}
    # expected-note @+1:13 {{'(' was opened here}}
    tl.store(p x)

# -----

# flags: --signature '*fp32'
# Brackets nested too deep.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:209 {{brackets are nested more than 200 deep; split the expression over several statements}}
    x = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
