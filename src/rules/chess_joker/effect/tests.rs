//! Tests of the effect language by itself.
