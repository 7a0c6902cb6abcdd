/**
 * What every engine must do. An engine's module depends on this test jar, and extends the classes
 * with the name {@code …Contract}.
 */
package io.heddle.cluster.contract;
