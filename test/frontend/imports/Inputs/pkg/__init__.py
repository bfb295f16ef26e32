"""A package as kernels are kept in: helpers in files of their own."""
