package io.heddle.cli.demo;

/** A part of the demo that shows one thing. */
interface Section {
  /** Draws itself; false if the scheduler did not do what it promises. */
  boolean play() throws Exception;
}
