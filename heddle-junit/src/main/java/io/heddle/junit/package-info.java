/** Tests of concurrent code that can be repeated: {@link io.heddle.junit.HeddleTest}. */
@org.jspecify.annotations.NullMarked
package io.heddle.junit;
