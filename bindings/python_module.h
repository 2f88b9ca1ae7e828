/* The module: its exceptions, its types, its constants. The end of the generated file. */
static PyType_Slot py_memory_slots[] = {
    {Py_bf_getbuffer, tw_py_memory_get}, {Py_tp_dealloc, tw_py_memory_dealloc}, {0, NULL}};
static PyType_Spec py_memory_spec = {"tilework._memory", sizeof(struct tw_py_memory), 0, Py_TPFLAGS_DEFAULT,
                                     py_memory_slots};
static PyType_Slot py_object_slots[] = {{Py_tp_dealloc, tw_py_dealloc},  {Py_tp_traverse, tw_py_traverse},
                                        {Py_tp_getattro, tw_py_getattr}, {Py_tp_members, tw_py_members},
                                        {Py_tp_new, tw_py_new},          {0, NULL}};

/* What it keeps is the process', not an interpreter's. */
static int py_refused_here(void)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return 0;
    PyErr_SetString(PyExc_ImportError, "tilework works in the first interpreter of a process alone");
    return 1;
}

/* _register(name, class): objects of that kind are made as this class, which derives from the one that is here. */
static PyObject *py_register(PyObject *self, PyObject *arguments)
{
    const char *name;
    PyObject *type;
    (void)self;
    if (py_refused_here() || !PyArg_ParseTuple(arguments, "sO", &name, &type)) return NULL;
    for (int k = 0; tw_py_kinds[k].name; k++)
        if (!strcmp(tw_py_kinds[k].name + strlen("tilework."), name)) {
            PyObject *old = tw_py_kinds[k].type;
            if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, (PyTypeObject *)old)) break;
            tw_py_kinds[k].type = Py_NewRef(type);
            Py_DECREF(old);
            Py_RETURN_NONE;
        }
    return PyErr_Format(PyExc_TypeError, "%s: no such kind, or no class of it", name);
}
static PyType_Slot py_span_slots[] = {{Py_bf_getbuffer, py_span_get}, {Py_tp_dealloc, py_span_dealloc}, {0, NULL}};
static PyType_Spec py_span_spec = {"tilework._memory_of_a_section", sizeof(struct py_span), 0, Py_TPFLAGS_DEFAULT,
                                   py_span_slots};
#define TW_PY_TEXT(x)       #x
#define TW_PY_JOIN(a, b, c) TW_PY_TEXT(a) "." TW_PY_TEXT(b) "." TW_PY_TEXT(c)
#define TW_PY_VERSION       TW_PY_JOIN(TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH)
static PyMethodDef py_own_methods[] = {
    {"_register", py_register, METH_VARARGS, NULL}, {"_span", py_span, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef py_definition = {PyModuleDef_HEAD_INIT,
                                           "tilework._tilework",
                                           "Tilework's functions. See the package tilework.",
                                           -1,
                                           tw_py_methods,
                                           NULL,
                                           NULL,
                                           NULL,
                                           NULL};

PyMODINIT_FUNC PyInit__tilework(void)
{
    if (py_refused_here()) return NULL;
    PyObject *m = PyModule_Create(&py_definition), *types = m ? PyImport_ImportModule("types") : NULL;
    if (!types || !(tw_py_namespace = PyObject_GetAttrString(types, "SimpleNamespace"))) return NULL;
    Py_DECREF(types);
    if (PyModule_AddFunctions(m, py_own_methods)) return NULL;
    tw_py_error = PyErr_NewExceptionWithDoc(
        "tilework.Error", "A status that is not 0: args are the message and the code.", PyExc_RuntimeError, NULL);
    tw_py_numerical = tw_py_error ? PyErr_NewExceptionWithDoc("tilework.NumericalError",
                                                              "LAPACK's info > 0: args are the message and the info.",
                                                              tw_py_error, NULL)
                                  : NULL;
    if (!tw_py_numerical || PyModule_AddObjectRef(m, "Error", tw_py_error) ||
        PyModule_AddObjectRef(m, "NumericalError", tw_py_numerical))
        return NULL;
    if (!(tw_py_memory_type = PyType_FromSpec(&py_memory_spec)) || !(py_span_type = PyType_FromSpec(&py_span_spec)))
        return NULL;
    for (int k = 0; tw_py_kinds[k].name; k++) {
        PyType_Spec spec = {tw_py_kinds[k].name, sizeof(struct tw_py_object), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, py_object_slots};
        if (!(tw_py_kinds[k].type = PyType_FromSpec(&spec)) ||
            PyModule_AddObjectRef(m, tw_py_kinds[k].name + strlen("tilework."), tw_py_kinds[k].type))
            return NULL;
    }
    if (PyModule_AddStringConstant(m, "__version__", TW_PY_VERSION)) return NULL;
    for (int i = 0; tw_py_constants[i].name; i++)
        if (PyModule_AddIntConstant(m, tw_py_constants[i].name, tw_py_constants[i].value)) return NULL;
    return m;
}
