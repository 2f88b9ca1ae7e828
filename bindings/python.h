/* What the generated functions of the Python extension are made of: arguments, arrays by the buffer protocol, objects,
 * structures, exceptions. Included once, by the file that bindings/python.awk writes. CPython's limited API of 3.11:
 * one binary for all later versions. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <structmember.h>

#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

/* ---- arguments ---------------------------------------------------------------------------------------------- */

/* One public name. implementations: of the matrix door, then of s, d, c and z. Arguments by position or name. */
typedef PyObject *(*tw_py_function)(PyObject *const *arguments);
struct tw_py_routine {
    const char *name, *doc;
    struct {
        tw_py_function call;
        int count;
        const char *const *names; /* '?' before those that may be left out */
    } by[5];
};
#define TW_PY_MOST 24

static PyObject *tw_py_error, *tw_py_numerical, *tw_py_namespace;

static PyObject *tw_py_failed(tw_int code)
{
    PyObject *type = code > 0 ? tw_py_numerical : tw_py_error;
    const char *text = code > 0 ? "" : tw_last_message();
    if (!*text) text = tw_strerror((int)code);
    PyObject *value = PyObject_CallFunction(type, "sL", text, (long long)code);
    if (value) {
        PyErr_SetObject(type, value);
        Py_DECREF(value);
    }
    return NULL;
}

/* ---- arrays ------------------------------------------------------------------------------------------------- */

struct tw_py_array {
    Py_buffer view;
    PyObject *object; /* borrowed */
    void *at;
    tw_int rows, columns, ld;
    int held;
};

static const char *tw_py_formats[] = {"f", "d", "Zf", "Zd", "i", "q"}; /* by enum tw_type, to TW_INT64 */
static const size_t tw_py_sizes[] = {4, 8, 8, 16, 4, 8};
/* The type of a buffer's elements, or -1. */
static int tw_py_type(const char *format, Py_ssize_t size)
{
    if (!format) return -1;
    if (*format == '@' || *format == '=' || *format == '<') format++;
    for (int t = 0; t < 4; t++)
        if (!strcmp(format, tw_py_formats[t])) return t;
    if (strlen(format) == 1 && strchr("ilq", *format)) return size == 4 ? TW_INT32 : TW_INT64;
    return -1;
}
static const char *tw_py_word(int type)
{
    static const char *words[] = {"float32", "float64", "complex64", "complex128", "int32", "int64"};
    return type >= 0 && type <= TW_INT64 ? words[type] : "another type";
}
/* The type of the arrays that are given, by which a call was chosen, and the first that has it: 0 where it is
 * none's. */
static _Thread_local struct {
    int type, several; /* several: the routine has other types, too */
} tw_py_chosen;
static int tw_py_wrong_type(const char *name, const char *format, int is, int type)
{
    if (!format) format = "B";
    if (*format == '>' || *format == '!')
        PyErr_Format(PyExc_TypeError,
                     "%s is an array of the other byte order (%s): a.astype(a.dtype.newbyteorder('=')) has this "
                     "machine's",
                     name, format);
    else if (tw_py_chosen.type < 0 && tw_py_chosen.several && type < 4)
        PyErr_Format(PyExc_TypeError, "%s is an array of %s (%s), not of float32, float64, complex64 or complex128",
                     name, tw_py_word(is), format);
    else if (tw_py_chosen.several && type < 4)
        PyErr_Format(PyExc_TypeError, "%s is an array of %s (%s), not of %s, which the call's others ask for", name,
                     tw_py_word(is), format, tw_py_word(type));
    else
        PyErr_Format(PyExc_TypeError, "%s is an array of %s (%s), not of %s", name, tw_py_word(is), format,
                     tw_py_word(type));
    return -1;
}
/* Is it an array (and no text)? */
static int tw_py_is_array(PyObject *o)
{
    return PyObject_CheckBuffer(o) && !PyBytes_Check(o);
}

/* An array argument: type -1 takes any (its bytes count). rank 1, or 2: columns whose elements follow each other, sizes
 * rows x columns; a vector is one column. */
static int tw_py_take(struct tw_py_array *a, PyObject *o, const char *name, int type, int rank, int writable)
{
    memset(a, 0, sizeof *a);
    a->object = o;
    a->ld = 1;
    if (!o || o == Py_None) return 0;
    if (PyBytes_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s: bytes are text here, not an array", name);
        return -1;
    }
    if (!tw_py_is_array(o)) {
        PyErr_Format(PyExc_TypeError, "%s is no array: an object with the buffer protocol is asked for", name);
        return -1;
    }
    if (PyObject_HasAttrString(o, "mask") && PyObject_HasAttrString(o, "filled")) {
        PyErr_Format(PyExc_TypeError,
                     "%s is a masked array, whose mask would be passed over: give its data, or filled(value)", name);
        return -1;
    }
    if (PyObject_GetBuffer(o, &a->view, PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0))) return -1;
    a->held = 1;
    a->at = a->view.buf;
    const Py_ssize_t size = a->view.itemsize;
    const int is = tw_py_type(a->view.format, size);
    if (type >= 0 && is != type) return tw_py_wrong_type(name, a->view.format, is, type);
    if (type < 0 || rank == 0) { /* as it lies in memory: C's order or Fortran's */
        if (!PyBuffer_IsContiguous(&a->view, 'A')) {
            PyErr_Format(PyExc_ValueError, "%s has gaps", name);
            return -1;
        }
        a->rows = type < 0 ? a->view.len : a->view.len / size;
        a->columns = 1;
        return 0;
    }
    if (a->view.ndim > rank || a->view.ndim < 1) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, not %d", name, a->view.ndim, rank);
        return -1;
    }
    a->rows = a->view.shape[0];
    a->columns = a->view.ndim == 2 ? a->view.shape[1] : 1;
    a->ld = a->rows > 1 ? a->rows : 1;
    if (a->view.len == 0) return 0; /* strides of nothing say nothing: NumPy's are 0 */
    if (a->rows > 1 && a->view.strides[0] != size) {
        PyErr_Format(PyExc_ValueError,
                     a->view.ndim == 2 && a->view.strides[1] == size
                         ? "%s is in C's order: columns have to lie in one piece (its transpose, %s.T, does; "
                           "numpy.asfortranarray copies)"
                         : "%s has gaps between its elements",
                     name, name);
        return -1;
    }
    if (a->columns > 1) {
        a->ld = a->view.strides[1] / size;
        if (a->view.strides[1] % size || a->ld < a->rows) {
            PyErr_Format(PyExc_ValueError, "the columns of %s overlap, or lie backwards", name);
            return -1;
        }
    }
    return 0;
}
static void tw_py_let(struct tw_py_array *a)
{
    if (a->held) PyBuffer_Release(&a->view);
    a->held = 0;
}
static int tw_py_fits(const struct tw_py_array *a, const char *name, tw_int rows, tw_int columns, int rank, int exact)
{
    if (rows < 0) rows = 0;
    if (columns < 0) columns = 0;
    if (!a->held && rows > 0 && columns > 0) return PyErr_Format(PyExc_TypeError, "%s is missing", name), -1;
    if (!a->held) return 0;
    if (rank < 2) {
        if (a->rows >= rows) return 0;
        PyErr_Format(PyExc_ValueError, "%s has %lld elements, not %lld", name, (long long)a->rows, (long long)rows);
        return -1;
    }
    if (exact ? a->rows == rows && a->columns == columns : a->rows >= rows && a->columns >= columns) return 0;
    PyErr_Format(PyExc_ValueError, "%s is %lld x %lld, not %lld x %lld", name, (long long)a->rows,
                 (long long)a->columns, (long long)rows, (long long)columns);
    return -1;
}

/* None stands for arrays only that a routine may leave out. */
static int tw_py_is_there(const struct tw_py_array *a, const char *name)
{
    if (a->held) return 1;
    PyErr_Format(PyExc_TypeError, "%s is missing", name);
    return 0;
}
/* Whether two arrays have an element in common. Blocks of one matrix lie in each other's gaps; views of one piece of
 * memory whose columns are otherwise far apart are told apart by their beginnings alone. */
static int tw_py_overlap(const struct tw_py_array *a, const struct tw_py_array *b)
{
    const struct tw_py_array *const first = (char *)a->at <= (char *)b->at ? a : b, *const second = first == a ? b : a;
    const tw_int size = (tw_int)first->view.itemsize, other = (tw_int)second->view.itemsize;
    const tw_int apart = (tw_int)((char *)second->at - (char *)first->at);

    if (!a->held || !b->held || !a->rows || !a->columns || !b->rows || !b->columns) return 0;
    if (apart >= ((first->columns - 1) * first->ld + first->rows) * size) return 0;
    if (!apart || first->columns == 1) return 1;
    if (size != other || apart % size || (second->columns > 1 && first->ld != second->ld)) return 0;
    const tw_int ld = first->ld;
    const tw_int column = apart / size / ld, row = apart / size % ld;
    return (row < first->rows && column < first->columns) || (row + second->rows > ld && column + 1 < first->columns);
}
/* Pivots as LAPACK has them, from 1 on: what names no row is a mistake of the caller's. */
static int tw_py_pivots(const struct tw_py_array *a, const char *name, tw_int n)
{
    const int64_t *at = a->at;
    for (tw_int i = 0; a->held && i < n && i < a->rows; i++)
        if (at[i] < 1 || at[i] > n)
            return PyErr_Format(PyExc_ValueError, "%s has %lld among its rows, of which there are %lld, from 1 on",
                                name, (long long)at[i], (long long)n),
                   -1;
    return 0;
}
static int tw_py_apart(const struct tw_py_array *a, const char *name, const struct tw_py_array *b, const char *other)
{
    if (!tw_py_overlap(a, b)) return 0;
    return PyErr_Format(PyExc_ValueError, "%s, which is written, and %s overlap in memory", name, other), -1;
}

/* The sizes of bindings/shapes.txt. */
static inline int tw_py_is(char c, char letter)
{
    return (c | 32) == (letter | 32);
}
static inline tw_int of_pick(char trans, tw_int x, tw_int y)
{
    return tw_py_is(trans, 'N') ? x : y;
}
static inline tw_int of_left(char side, tw_int x, tw_int y)
{
    return tw_py_is(side, 'L') ? x : y;
}
static inline tw_int of_factor(char vect, tw_int x, tw_int y)
{
    return tw_py_is(vect, 'Q') ? x : y;
}
static inline tw_int of_wants(char job, tw_int x)
{
    return tw_py_is(job, 'N') ? 0 : x;
}
static inline tw_int of_min(tw_int x, tw_int y)
{
    return x < y ? x : y;
}
static inline tw_int of_max(tw_int x, tw_int y)
{
    return x > y ? x : y;
}
static inline tw_int of_found(char range, tw_int n, tw_int il, tw_int iu)
{
    return tw_py_is(range, 'I') ? of_max(0, of_min(n, iu - il + 1)) : n;
}
static inline tw_int of_vectors(char job, tw_int all, tw_int some, tw_int over)
{
    return tw_py_is(job, 'A') ? all : tw_py_is(job, 'S') ? some : tw_py_is(job, 'O') ? over : 0;
}
static inline tw_int of_inside(char job, tw_int x)
{
    return tw_py_is(job, 'I') ? x : 0;
}
/* LAPACK's bdsdc: small parts are of order 25. */
static inline tw_int of_compact(char job, tw_int n, int integers)
{
    tw_int levels = 0;
    while (INT64_C(26) << (levels + 1) <= n)
        levels++;
    return tw_py_is(job, 'P') ? n * (integers ? 3 + 3 * levels : 61 + 8 * levels) : 0;
}
static inline tw_int of_wide(tw_int m, tw_int n, tw_int x)
{
    return m < n ? x : 0;
}
static inline tw_int of_tall(tw_int m, tw_int n, tw_int x)
{
    return m >= n ? x : 0;
}
static inline tw_int of_product(tw_int x, tw_int y)
{
    tw_int z;
    return x < 0 || y < 0 || __builtin_mul_overflow(x, y, &z) ? INT64_MAX : z;
}
/* Elements of an m x n array with leading dimension ld; bytes of them. */
static inline tw_int of_lapack(tw_int m, tw_int n, tw_int ld)
{
    if (m <= 0 || n <= 0) return 0;
    const tw_int z = of_product(n - 1, ld);
    return z > INT64_MAX - m ? INT64_MAX : z + m;
}
static inline tw_int of_bytes(enum tw_type type, tw_int elements)
{
    static const int size[TW_NELEMENTS] = {4, 8, 8, 16, 4, 8, 2, 2, 1};
    return (int)type >= 0 && (int)type < TW_NELEMENTS ? of_product(elements, size[type]) : 0;
}
static inline tw_int of_rows(const tw_matrix *A)
{
    return A ? tw_matrix_rows(A) : 0;
}
static inline tw_int of_columns(const tw_matrix *A)
{
    return A ? tw_matrix_cols(A) : 0;
}
static inline tw_int of_least(const tw_matrix *A)
{
    return of_min(of_rows(A), of_columns(A));
}

/* ---- numbers and letters ------------------------------------------------------------------------------------ */

static int tw_py_letter(PyObject *o, const char *name, char *letter)
{
    Py_ssize_t n = 0;
    const char *text = o && PyUnicode_Check(o) ? PyUnicode_AsUTF8AndSize(o, &n) : NULL;
    if (o && PyLong_Check(o)) { /* tilework.LOWER is 'L' */
        const long value = PyLong_AsLong(o);
        if ((value >= 'A' && value <= 'Z') || (value >= 'a' && value <= 'z')) {
            *letter = (char)value;
            return 0;
        }
        PyErr_Clear();
    }
    if (!text || n != 1)
        return PyErr_Format(PyExc_TypeError, "%s: one of LAPACK's letters, such as 'L', or a constant of tilework's",
                            name),
               -1;
    *letter = *text;
    return 0;
}
/* An integer; of enumerations whose values are LAPACK's letters also the letter. */
static int tw_py_integer(PyObject *o, const char *name, long long *value, int letters)
{
    if (letters && PyUnicode_Check(o)) {
        char c;
        if (tw_py_letter(o, name, &c)) return -1;
        *value = c >= 'a' && c <= 'z' ? c - 32 : c;
        return 0;
    }
    PyObject *index = PyNumber_Index(o);
    if (!index) return -1;
    *value = PyLong_AsLongLong(index);
    Py_DECREF(index);
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}
static int tw_py_int(PyObject *o, const char *name, int *value, int letters)
{
    long long wide;
    if (tw_py_integer(o, name, &wide, letters)) return -1;
    if (wide < INT32_MIN || wide > INT32_MAX) return PyErr_Format(PyExc_OverflowError, "%s: %lld", name, wide), -1;
    *value = (int)wide;
    return 0;
}
static int tw_py_real(PyObject *o, double *value)
{
    *value = PyFloat_AsDouble(o);
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}
static int tw_py_complex(PyObject *o, double *re, double *im)
{
    if (PyComplex_Check(o)) {
        *re = PyComplex_RealAsDouble(o);
        *im = PyComplex_ImagAsDouble(o);
    } else {
        PyObject *z = PyObject_HasAttrString(o, "__complex__") ? PyObject_CallMethod(o, "__complex__", NULL) : NULL;
        if (z) {
            *re = PyComplex_RealAsDouble(z);
            *im = PyComplex_ImagAsDouble(z);
            Py_DECREF(z);
        } else {
            PyErr_Clear();
            *re = PyFloat_AsDouble(o);
            *im = 0;
        }
    }
    return PyErr_Occurred() ? -1 : 0;
}
/* Text, or a path; NULL for None. *keep holds it. */
static int tw_py_text(PyObject *o, const char **text, PyObject **keep)
{
    *text = NULL;
    if (!o || o == Py_None) return 0;
    PyObject *s = PyUnicode_Check(o) ? Py_NewRef(o) : PyObject_CallMethod(o, "__fspath__", NULL);
    if (!s) return -1;
    *keep = s;
    *text = PyUnicode_AsUTF8AndSize(s, NULL);
    return *text ? 0 : -1;
}
static PyObject *tw_py_string(const char *text)
{
    if (!text) return Py_NewRef(Py_None);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* ---- objects ------------------------------------------------------------------------------------------------ */

/* What a C pointer, or a structure with arrays, belongs to. kept: what it works on has to live as long; of a sequence,
 * until it has been waited for. */
struct tw_py_object {
    PyObject_HEAD void *pointer;
    PyObject *kept; /* list, or NULL */
    int kind, borrowed;
    PyObject *weak;
};
struct tw_py_kind {
    const char *name; /* "tilework.matrix" */
    size_t size;      /* of a structure; 0: a pointer */
    void (*destroy)(void *);
    PyObject *type;
};
static struct tw_py_kind tw_py_kinds[]; /* generated */
static PyObject *tw_py_field(struct tw_py_object *o, const char *name);

static void tw_py_dealloc(PyObject *self)
{
    struct tw_py_object *o = (struct tw_py_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (o->weak) PyObject_ClearWeakRefs(self);
    if (o->pointer && !o->borrowed) {
        void *pointer = o->pointer;
        Py_BEGIN_ALLOW_THREADS tw_py_kinds[o->kind].destroy(pointer);
        Py_END_ALLOW_THREADS
    }
    if (tw_py_kinds[o->kind].size) free(o->pointer);
    Py_CLEAR(o->kept);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}
static int tw_py_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((struct tw_py_object *)self)->kept);
    Py_VISIT(Py_TYPE(self));
    return 0;
}
static PyObject *tw_py_getattr(PyObject *self, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text || !((struct tw_py_object *)self)->pointer) return NULL;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    found = tw_py_field((struct tw_py_object *)self, text);
    if (found || PyErr_Occurred()) {
        Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
        return found;
    }
    PyErr_Restore(type, value, trace);
    return NULL;
}
static PyMemberDef tw_py_members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(struct tw_py_object, weak), 1, NULL},
                                      {NULL, 0, 0, 0, NULL}};
static PyObject *tw_py_new_object(int kind, void *pointer)
{
    PyTypeObject *type = (PyTypeObject *)tw_py_kinds[kind].type;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct tw_py_object *o = (struct tw_py_object *)allocate(type, 0);
    if (!o) return NULL;
    o->kind = kind;
    o->pointer = pointer;
    return (PyObject *)o;
}
/* Structures with arrays are made empty: tilework.particles(). */
static PyObject *tw_py_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    (void)arguments, (void)names;
    for (int kind = 0; tw_py_kinds[kind].name; kind++) {
        PyTypeObject *made = (PyTypeObject *)tw_py_kinds[kind].type;
        if (type != made && !PyType_IsSubtype(type, made)) continue;
        if (!tw_py_kinds[kind].size) break;
        void *pointer = calloc(1, tw_py_kinds[kind].size);
        if (!pointer) return PyErr_NoMemory();
        PyObject *o = tw_py_new_object(kind, pointer);
        if (!o) free(pointer);
        return o;
    }
    PyErr_SetString(PyExc_TypeError,
                    "made by functions of tilework (Matrix.wrap, Sequence(), generator_create, ...), not by its name, "
                    "and not copied or pickled");
    return NULL;
}
static int tw_py_pointer(PyObject *o, const char *name, int kind, void **pointer)
{
    *pointer = NULL;
    if (!o || o == Py_None) return 0;
    if (!PyObject_TypeCheck(o, (PyTypeObject *)tw_py_kinds[kind].type)) {
        PyErr_Format(PyExc_TypeError, "%s is no %s", name, tw_py_kinds[kind].name);
        return -1;
    }
    *pointer = ((struct tw_py_object *)o)->pointer;
    if (!*pointer) return PyErr_Format(PyExc_ValueError, "%s was freed", name), -1;
    return 0;
}
/* `what` lives as long as the object, or until the sequence has been waited for. */
static int tw_py_keep(PyObject *holder, PyObject *what)
{
    struct tw_py_object *o = (struct tw_py_object *)holder;
    if (!holder || holder == Py_None || !what || what == Py_None) return 0;
    if (!o->kept && !(o->kept = PyList_New(0))) return -1;
    /* A view keeps an array where it is: it cannot be resized meanwhile. */
    PyObject *held = tw_py_is_array(what) ? PyMemoryView_FromObject(what) : Py_NewRef(what);
    if (!held) return -1;
    const int bad = PyList_Append(o->kept, held);
    Py_DECREF(held);
    return bad;
}
static void tw_py_waited(PyObject *sequence)
{
    if (sequence && sequence != Py_None) Py_CLEAR(((struct tw_py_object *)sequence)->kept);
}
/* An object frees what it has: what a destroying function does. */
static PyObject *tw_py_destroyed(PyObject *self, int kind)
{
    void *pointer;
    if (self == Py_None) Py_RETURN_NONE;
    if (!PyObject_TypeCheck(self, (PyTypeObject *)tw_py_kinds[kind].type))
        return PyErr_Format(PyExc_TypeError, "this is no %s", tw_py_kinds[kind].name);
    struct tw_py_object *o = (struct tw_py_object *)self;
    pointer = o->pointer;
    if (!pointer || o->borrowed) Py_RETURN_NONE;
    if (!tw_py_kinds[kind].size) o->pointer = NULL;
    Py_BEGIN_ALLOW_THREADS tw_py_kinds[kind].destroy(pointer);
    Py_END_ALLOW_THREADS Py_CLEAR(o->kept);
    Py_RETURN_NONE;
}
/* A view of memory that belongs to an object. It keeps the object. */
struct tw_py_memory {
    PyObject_HEAD PyObject *owner;
    void *at;
    Py_ssize_t shape[1], strides[1];
    const char *format;
    Py_ssize_t size;
};
static PyObject *tw_py_memory_type;
static int tw_py_memory_get(PyObject *self, Py_buffer *view, int flags)
{
    struct tw_py_memory *m = (struct tw_py_memory *)self;
    (void)flags;
    view->buf = m->at;
    view->obj = Py_NewRef(self);
    view->len = m->shape[0] * m->size;
    view->itemsize = m->size;
    view->readonly = 0;
    view->ndim = 1;
    view->format = (char *)(uintptr_t)m->format;
    view->shape = m->shape;
    view->strides = m->strides;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}
static void tw_py_memory_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((struct tw_py_memory *)self)->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}
static PyObject *tw_py_view(PyObject *owner, void *at, int type, tw_int count)
{
    if (!at) return Py_NewRef(Py_None);
    PyTypeObject *t = (PyTypeObject *)tw_py_memory_type;
    struct tw_py_memory *m = (struct tw_py_memory *)((allocfunc)PyType_GetSlot(t, Py_tp_alloc))(t, 0);
    if (!m) return NULL;
    m->owner = Py_NewRef(owner);
    m->at = at;
    m->size = (Py_ssize_t)tw_py_sizes[type];
    m->shape[0] = (Py_ssize_t)count;
    m->strides[0] = m->size;
    m->format = tw_py_formats[type];
    PyObject *view = PyMemoryView_FromObject((PyObject *)m);
    Py_DECREF(m);
    return view;
}

/* ---- structures: namespaces --------------------------------------------------------------------------------- */

static int tw_py_put(PyObject *dict, const char *name, PyObject *value)
{
    const int bad = !value || PyDict_SetItemString(dict, name, value);
    Py_XDECREF(value);
    return bad ? -1 : 0;
}
static PyObject *tw_py_named(PyObject *dict)
{
    PyObject *none = dict ? PyTuple_New(0) : NULL;
    PyObject *result = none ? PyObject_Call(tw_py_namespace, none, dict) : NULL;
    Py_XDECREF(none);
    Py_XDECREF(dict);
    return result;
}
/* A field of a namespace, or of a dictionary: a new reference, or NULL without an error where there is none. */
static PyObject *tw_py_look(PyObject *o, const char *name)
{
    if (PyDict_Check(o)) return Py_XNewRef(PyDict_GetItemString(o, name));
    if (PyObject_HasAttrString(o, name)) return PyObject_GetAttrString(o, name);
    return NULL;
}

/* ---- functions of Python's that C calls ---------------------------------------------------------------------- */

/* What a call of Python gives as C's answer: 0 for None and False; an exception is printed and ends the routine
 * (-1). */
static int tw_py_answer(PyObject *result)
{
    int answer = -1;
    if (result) {
        answer = result == Py_None ? 0 : (int)PyLong_AsLong(result);
        Py_DECREF(result);
    }
    if (PyErr_Occurred()) {
        PyErr_WriteUnraisable(NULL);
        answer = -1;
    }
    return answer;
}

/* What a function of a number raises means that it is not defined there, which is what arithmetic (1/0, an overflow)
 * and ValueError (math.log(-1)) say. Anything else is a mistake, or Ctrl-C: nobody waits for it here, and it is
 * printed. */
static void tw_py_undefined(void)
{
    if (PyErr_ExceptionMatches(PyExc_ArithmeticError) || PyErr_ExceptionMatches(PyExc_ValueError))
        PyErr_Clear();
    else
        PyErr_WriteUnraisable(NULL);
}

/* ---- calling ------------------------------------------------------------------------------------------------ */

/* Whether this is a call of that door: no argument too many or twice, none unknown, none missing. */
static int tw_py_matches(const struct tw_py_routine *r, int which, Py_ssize_t n, PyObject *names)
{
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    const int count = r->by[which].count;
    char there[TW_PY_MOST] = {0};

    if (!r->by[which].call || n > count) return 0;
    for (Py_ssize_t i = 0; i < n; i++)
        there[i] = 1;
    for (Py_ssize_t k = 0; k < named; k++) {
        PyObject *name = PyTuple_GetItem(names, k);
        int i = 0;
        while (i < count &&
               PyUnicode_CompareWithASCIIString(name, r->by[which].names[i] + (*r->by[which].names[i] == '?')))
            i++;
        if (i == count || there[i]) return 0;
        there[i] = 1;
    }
    for (int i = 0; i < count; i++)
        if (!there[i] && *r->by[which].names[i] != '?') return 0;
    return 1;
}

/* Whether the matrix door takes a matrix always: they have capital letters, and no question mark. */
static int tw_py_needs_matrix(const struct tw_py_routine *r)
{
    for (int i = 0; r->by[0].call && i < r->by[0].count; i++)
        if (*r->by[0].names[i] >= 'A' && *r->by[0].names[i] <= 'Z') return 1;
    return 0;
}

static PyObject *tw_py_call(const struct tw_py_routine *r, PyObject *const *given, Py_ssize_t n, PyObject *names)
{
    PyObject *slot[TW_PY_MOST] = {NULL};
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    int which = r->by[0].call ? 0 : -1, given_type = -1;
    if (r->by[1].call || r->by[2].call || r->by[3].call || r->by[4].call) {
        /* By what is given: an object is the matrix door's; arrays say the type, complex ones before real ones. */
        int type = -1, object = 0;
        for (Py_ssize_t i = 0; i < n + named; i++) {
            PyObject *o = given[i];
            if (PyObject_TypeCheck(o, (PyTypeObject *)tw_py_kinds[0].type)) object = 1;
            if (!tw_py_is_array(o)) continue;
            Py_buffer view;
            if (PyObject_GetBuffer(o, &view, PyBUF_STRIDES | PyBUF_FORMAT)) return NULL;
            const int t = tw_py_type(view.format, view.itemsize);
            PyBuffer_Release(&view);
            if (t >= 0 && t < 4 && t > type) type = t;
        }
        if (!object && tw_py_needs_matrix(r)) which = -1;
        if (type >= 0 && !object && r->by[1 + type].call)
            which = 1 + type;
        else if (type >= 0 && !object && which < 0) {
            const int real = !strncmp(r->name, "un", 2) && type < 2; /* LAPACK's names of what Q is to be */
            if (real || (!strncmp(r->name, "or", 2) && type > 1))
                return PyErr_Format(PyExc_TypeError, "%s is not for arrays of %s: %s%s is", r->name, tw_py_word(type),
                                    real ? "or" : "un", r->name + 2);
            return PyErr_Format(PyExc_TypeError, "%s is not for arrays of %s", r->name, tw_py_word(type));
        }
        if (which < 0)
            for (int k = 1; k < 5 && which < 0; k++)
                if (r->by[k].call) which = k;
        /* of arrays alone, too, the other door's may be what was called: it has other arguments */
        if (which > 0 && !tw_py_needs_matrix(r) && !tw_py_matches(r, which, n, names) && tw_py_matches(r, 0, n, names))
            which = 0;
        given_type = type;
    }
    tw_py_chosen.several = (r->by[1].call || r->by[3].call) && (r->by[2].call || r->by[4].call);
    tw_py_chosen.type = given_type;
    const int count = r->by[which].count;
    if (n > count) return PyErr_Format(PyExc_TypeError, "%s takes at most %d arguments, not %zd", r->name, count, n);
    for (Py_ssize_t i = 0; i < n; i++)
        slot[i] = given[i];
    for (Py_ssize_t k = 0; k < named; k++) {
        PyObject *name = PyTuple_GetItem(names, k);
        int i = 0;
        while (i < count &&
               PyUnicode_CompareWithASCIIString(name, r->by[which].names[i] + (*r->by[which].names[i] == '?')))
            i++;
        if (i == count) return PyErr_Format(PyExc_TypeError, "%s has no argument %U", r->name, name);
        if (slot[i]) return PyErr_Format(PyExc_TypeError, "%s: %U is given twice", r->name, name);
        slot[i] = given[n + k];
    }
    for (int i = 0; i < count; i++)
        if (!slot[i] && *r->by[which].names[i] != '?')
            return PyErr_Format(PyExc_TypeError, "%s lacks its argument %s", r->name, r->by[which].names[i]);
    return r->by[which].call(slot);
}
