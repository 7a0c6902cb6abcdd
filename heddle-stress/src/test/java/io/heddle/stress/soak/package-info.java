/** Everything at once, for an hour or for seconds: see docs/soak.md. */
package io.heddle.stress.soak;
