package io.heddle.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains {@link JavaLangNotOpenException}, and names the flag. */
final class JavaLangNotOpenFailureAnalyzer
    extends AbstractFailureAnalyzer<JavaLangNotOpenException> {

  /** Called by Spring Boot. */
  JavaLangNotOpenFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, JavaLangNotOpenException cause) {
    return new FailureAnalysis(
        "Heddle cannot run the application on goroutines: the package java.lang is not open to it.",
        """
        Do one of these:
          - start Java with --add-opens java.base/java.lang=ALL-UNNAMED
          - for an executable jar, add to maven-jar-plugin's <archive><manifestEntries>:
            <Add-Opens>java.base/java.lang</Add-Opens>
          - start Java with -javaagent:heddle.jar
          - switch the starter off: heddle.enabled=false\
        """,
        cause);
  }
}
