package io.heddle.spring;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Decides {@link ConditionalOnHeddle}. */
final class OnHeddleCondition extends SpringBootCondition {
  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnHeddle.class);
    Environment environment = context.getEnvironment();
    String part = metadata.getAnnotations().get(ConditionalOnHeddle.class).getString("value");
    List<String> switches =
        part.isEmpty()
            ? List.of("heddle.enabled")
            : List.of("heddle.enabled", "heddle." + part + ".enabled");
    for (String property : switches) {
      if (!environment.getProperty(property, Boolean.class, true)) {
        return ConditionOutcome.noMatch(message.because(property + " is false"));
      }
    }
    return ConditionOutcome.match(message.because("no setting turns it off"));
  }
}
