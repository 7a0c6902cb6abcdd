package io.heddle.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says: the jar's own version, and the Java it runs on. */
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
