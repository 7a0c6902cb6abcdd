package io.heddle;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;

/**
 * Fails each test of the class that hangs: the limit is far longer than any test takes, however
 * busy the machine. Methods that run before or after each test need the annotation themselves.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public @interface HangGuard {}
