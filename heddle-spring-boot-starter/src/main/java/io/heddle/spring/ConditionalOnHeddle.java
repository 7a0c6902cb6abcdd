package io.heddle.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches unless {@code heddle.enabled=false} turns the starter off, or {@code
 * heddle.PART.enabled=false} this part of it. {@code HEDDLE=off} does not: the library then runs
 * goroutines as plain virtual threads, and the beans of the application stay.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnHeddleCondition.class)
@interface ConditionalOnHeddle {
  /** The part, as in the name of its setting; empty: the starter as a whole. */
  String value() default "";
}
