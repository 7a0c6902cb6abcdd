/** Another JVM on this machine, seen through its JMX: what {@code heddle dump} and {@code heddle top} look at. */
@NullMarked
package io.heddle.cli.attach;

import org.jspecify.annotations.NullMarked;
