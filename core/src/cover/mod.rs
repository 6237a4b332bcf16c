//! What of a recording, its tools and its handlers was never used.
