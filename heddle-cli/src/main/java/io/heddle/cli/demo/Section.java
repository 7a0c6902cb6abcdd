package io.heddle.cli.demo;

/** A part of the demo, which shows one property of the scheduler. */
interface Section {
  /** Prints the section; returns false if the scheduler broke a promise. */
  boolean play() throws Exception;
}
