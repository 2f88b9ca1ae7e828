/* Lists of what structures hold, and Python's functions as C's: between the structures and the functions of the
 * generated file. */
static PyObject *py_list_of_texts(char *const *texts, tw_int n)
{
    PyObject *list = PyList_New(0);
    for (tw_int k = 0; list && texts && k < n; k++) {
        PyObject *one = tw_py_string(texts[k]);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}
static PyObject *py_list_of_names(char (*names)[TW_ATOM_NAME], tw_int n)
{
    PyObject *list = PyList_New(0);
    for (tw_int k = 0; list && names && k < n; k++) {
        PyObject *one = PyUnicode_DecodeUTF8(names[k], (Py_ssize_t)strnlen(names[k], TW_ATOM_NAME), "replace");
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}
static PyObject *py_list_of_bonds(const tw_bond *bonds, tw_int n)
{
    PyObject *list = PyList_New(0);
    for (tw_int k = 0; list && bonds && k < n; k++) {
        PyObject *one =
            Py_BuildValue("(LLdd)", (long long)bonds[k].i, (long long)bonds[k].j, bonds[k].stiffness, bonds[k].length);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}
static PyObject *py_list_of_variables(const tw_variable *v)
{
    PyObject *list = PyList_New(0);
    for (; list && v->name; v++) {
        PyObject *one = py_of_tw_variable(v);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* A structure of the caller's, as an object that does not own it: for the time of a report. */
static PyObject *py_lent(int kind, const void *structure)
{
    void *copy = malloc(tw_py_kinds[kind].size);
    if (!copy) return PyErr_NoMemory();
    memcpy(copy, structure, tw_py_kinds[kind].size);
    PyObject *o = tw_py_new_object(kind, copy);
    if (!o) return free(copy), NULL;
    ((struct tw_py_object *)o)->borrowed = 1;
    return o;
}
static int py_call_tw_function_fn(void *user, double x, double *y)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result = PyObject_CallFunction(user, "d", x);
    int bad = !result || tw_py_real(result, y);
    Py_XDECREF(result);
    if (PyErr_Occurred()) tw_py_undefined();
    PyGILState_Release(state);
    return bad;
}
static int py_call_tw_select_fn(void *user, double wr, double wi)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result = PyObject_CallFunction(user, "dd", wr, wi);
    const int yes = result ? PyObject_IsTrue(result) : 0;
    Py_XDECREF(result);
    if (PyErr_Occurred()) tw_py_undefined(); /* not selected */
    PyGILState_Release(state);
    return yes > 0;
}
#define PY_REPORT(name, kind, state_type)                                                                              \
    static int py_call_##name(void *user, const kind *p, const state_type *s)                                          \
    {                                                                                                                  \
        const PyGILState_STATE gil = PyGILState_Ensure();                                                              \
        PyObject *what = py_lent(KIND_##kind, p), *how = what ? py_of_##state_type(s) : NULL;                          \
        const int answer = tw_py_answer(how ? PyObject_CallFunctionObjArgs(user, what, how, NULL) : NULL);             \
        Py_XDECREF(what);                                                                                              \
        Py_XDECREF(how);                                                                                               \
        PyGILState_Release(gil);                                                                                       \
        return answer;                                                                                                 \
    }
PY_REPORT(tw_motion_report, tw_particles, tw_motion_state)
PY_REPORT(tw_verlet_report, tw_atoms, tw_verlet_state)
PY_REPORT(tw_minimize_report, tw_atoms, tw_minimize_state)

static PyObject *py_logger;
static void py_call_tw_log_fn(enum tw_log_level level, const char *message, void *user)
{
    (void)user;
    if (!Py_IsInitialized()) return;
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *logger = Py_XNewRef(py_logger);
    if (logger) (void)tw_py_answer(PyObject_CallFunction(logger, "is", (int)level, message));
    Py_XDECREF(logger);
    PyGILState_Release(gil);
}
static PyObject *py_set_log(PyObject *self, PyObject *function)
{
    (void)self;
    PyObject *old = py_logger;
    py_logger = function == Py_None ? NULL : Py_NewRef(function);
    PyObject *none = py_logger ? py_logger : NULL;
    Py_BEGIN_ALLOW_THREADS tw_set_log(none ? py_call_tw_log_fn : NULL, NULL);
    Py_END_ALLOW_THREADS Py_XDECREF(old);
    Py_RETURN_NONE;
}
static PyObject *py_blas_reexec(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *words = NULL;
    if (!PyArg_ParseTuple(arguments, "|O", &words)) return NULL;
    words = words ? Py_NewRef(words) : Py_XNewRef(PySys_GetObject("orig_argv"));
    const Py_ssize_t n = words ? PySequence_Size(words) : -1;
    char **argv = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *argv);
    PyObject *bytes = argv ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; bytes && i < n; i++) {
        PyObject *one = PySequence_GetItem(words, i), *encoded = one ? PyUnicode_EncodeFSDefault(one) : NULL;
        if (encoded && !PyList_Append(bytes, encoded))
            argv[i] = PyBytes_AsString(encoded);
        else
            Py_CLEAR(bytes);
        Py_XDECREF(one);
        Py_XDECREF(encoded);
    }
    if (bytes) tw_blas_reexec(argv);
    const int right = bytes != NULL;
    Py_XDECREF(bytes);
    Py_XDECREF(words);
    free(argv);
    if (!right) return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    Py_RETURN_NONE;
}
static PyObject *py_recorded_standard_change(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *o;
    int k;
    void *recorded;
    char change[100] = "";
    if (!PyArg_ParseTuple(arguments, "Oi", &o, &k) || tw_py_pointer(o, "recorded", KIND_tw_recorded, &recorded))
        return NULL;
    const int there = tw_recorded_standard_change(recorded, k, change, sizeof change);
    if (there < 0) return tw_py_failed(there);
    return there ? tw_py_string(change) : Py_NewRef(Py_None);
}

/* DLPack (dmlc's dlpack.h, version 0): what a capsule "dltensor" holds. */
struct py_tensor {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};
/* dlpack(capsule): (address, device type, device, type or -1, shape, strides in elements or None). The capsule stays
 * its owner's, who keeps the array alive. */
static PyObject *py_dlpack(PyObject *self, PyObject *capsule)
{
    (void)self;
    const struct py_tensor *t = PyCapsule_GetPointer(capsule, "dltensor");
    if (!t) return NULL;
    const int type = t->lanes != 1                    ? -1
                     : t->code == 2 && t->bits == 32  ? TW_FLOAT
                     : t->code == 2 && t->bits == 64  ? TW_DOUBLE
                     : t->code == 5 && t->bits == 64  ? TW_COMPLEX_FLOAT
                     : t->code == 5 && t->bits == 128 ? TW_COMPLEX_DOUBLE
                                                      : -1;
    PyObject *shape = PyTuple_New(t->ndim), *strides = t->strides ? PyTuple_New(t->ndim) : Py_NewRef(Py_None);
    for (int i = 0; shape && strides && i < t->ndim; i++) {
        PyTuple_SetItem(shape, i, PyLong_FromLongLong(t->shape[i]));
        if (t->strides) PyTuple_SetItem(strides, i, PyLong_FromLongLong(t->strides[i]));
    }
    if (!shape || !strides) return NULL;
    return Py_BuildValue("(NiiiNN)", PyLong_FromVoidPtr((char *)t->data + t->byte_offset), (int)t->device_type,
                         (int)t->device_id, type, shape, strides);
}

/* _span(array): the memory of a section in Fortran's order from its first to its last element, as bytes that keep the
 * array. */
struct py_span {
    PyObject_HEAD Py_buffer view;
    Py_ssize_t length;
    int held;
};
static PyObject *py_span_type;
static int py_span_get(PyObject *self, Py_buffer *view, int flags)
{
    struct py_span *s = (struct py_span *)self;
    return PyBuffer_FillInfo(view, self, s->view.buf, s->length, s->view.readonly, flags);
}
static void py_span_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct py_span *s = (struct py_span *)self;
    if (s->held) PyBuffer_Release(&s->view);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}
static PyObject *py_span(PyObject *self, PyObject *array)
{
    (void)self;
    PyTypeObject *t = (PyTypeObject *)py_span_type;
    struct py_span *s = (struct py_span *)((allocfunc)PyType_GetSlot(t, Py_tp_alloc))(t, 0);
    if (!s) return NULL;
    if (PyObject_GetBuffer(array, &s->view, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE) &&
        (PyErr_Clear(), PyObject_GetBuffer(array, &s->view, PyBUF_STRIDES | PyBUF_FORMAT))) {
        Py_DECREF(s);
        return NULL;
    }
    s->held = 1;
    Py_ssize_t last = 0;
    int none = 0;
    for (int i = 0; i < s->view.ndim; i++) {
        if (s->view.strides[i] < 0) {
            Py_DECREF(s);
            PyErr_SetString(PyExc_ValueError, "the array lies backwards");
            return NULL;
        }
        if (s->view.shape[i] == 0) none = 1;
        last += (s->view.shape[i] - 1) * s->view.strides[i];
    }
    s->length = none ? 0 : last + s->view.itemsize;
    return (PyObject *)s;
}
