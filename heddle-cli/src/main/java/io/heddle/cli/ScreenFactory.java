package io.heddle.cli;

import io.heddle.cli.screen.Screen;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes the commands, and gives those that draw the screen to draw on. */
final class ScreenFactory implements IFactory {
  private final Screen screen;

  ScreenFactory(Screen screen) {
    this.screen = screen;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    return type == DemoCommand.class
        ? type.cast(new DemoCommand(screen))
        : CommandLine.defaultFactory().create(type);
  }
}
