/** {@code heddle demo}: each section shows one thing the scheduler does, with figures measured there and then. */
@org.jspecify.annotations.NullMarked
package io.heddle.cli.demo;
