# The writers run in the sanitizer builds, too.
set_property(TEST traces/writers APPEND PROPERTY LABELS core)
set_property(TEST traces/writer_failures APPEND PROPERTY LABELS core)
set_property(TEST traces/recorded APPEND PROPERTY LABELS core)
set_property(TEST traces/advice APPEND PROPERTY LABELS core)
set_property(TEST traces/merge APPEND PROPERTY LABELS core)
set_property(TEST traces/own APPEND PROPERTY LABELS core)
set_property(TEST traces/tasks_rec APPEND PROPERTY LABELS core)
