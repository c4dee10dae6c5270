//! Boards behind real pseudo-terminals.
