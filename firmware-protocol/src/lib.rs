//! Frames of boards and readers that anyone can build.
#![no_std]
