/**
 * Tests of what the profile {@code release} has built and staged, as a public repository and its
 * users see it: {@code mvn -Prelease verify -pl heddle-release -am}.
 */
package io.heddle.release;
