/** Everything at once, for an hour or for seconds: see docs/internals/soak.md. */
package io.heddle.stress.soak;
