//! Agents, tools and conversations run on handlers, step by step, without calling back into the host.
