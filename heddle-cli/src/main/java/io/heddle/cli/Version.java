package io.heddle.cli;

import picocli.CommandLine.IVersionProvider;

/** Supplies the text of {@code --version}: the jar's version and the Java that runs it. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Heddle.class.getPackage().getImplementationVersion();
    return new String[] {
      "heddle %s (Java %s, %d CPUs)"
          .formatted(
              version == null ? "not packaged" : version,
              Runtime.version(),
              Runtime.getRuntime().availableProcessors())
    };
  }
}
