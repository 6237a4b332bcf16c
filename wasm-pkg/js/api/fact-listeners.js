/**
 * The method of recorders by which another module of the package hears of facts; it is known to it by this symbol. What it is
 * given has `merge(fact)`, which gives the fact that is taken in its place, or undefined for one that is told already; `heard(fact)`, which is told of what was taken; and
 * `ending()`, which is called before a recording is made of the facts.
 */
export const ADD_FACT_LISTENER = Symbol.for('transcript-workbench.addFactListener')
