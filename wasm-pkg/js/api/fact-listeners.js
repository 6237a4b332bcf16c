/**
 * The method of recorders with which other modules of the package listen to facts. They find it by this symbol. A listener has
 * `merge(fact)`, which returns the fact to record instead, or undefined if it is recorded already; `received(fact)`, which
 * gets every recorded fact; and `finishing()`, which is called before a recording is built.
 */
export const ADD_FACT_LISTENER = Symbol.for('transcript-workbench.addFactListener')
