/** {@code bench}: every row for every contender, in turns, each in a process of its own; tables, JSON and a page. */
package io.heddle.bench.suite;
