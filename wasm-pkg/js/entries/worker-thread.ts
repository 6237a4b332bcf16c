/**
 * The worker of `transcript-workbench/worker`, for a module of your own that a bundler finds: it answers as soon as it is
 * imported.
 */
export {}
