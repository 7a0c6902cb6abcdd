package io.heddle.cli;

import io.heddle.cli.screen.Screen;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Creates the commands, and passes the screen to constructors that take it. */
final class ScreenFactory implements IFactory {
  private final Screen screen;

  ScreenFactory(Screen screen) {
    this.screen = screen;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    Constructor<K> constructor;
    try {
      constructor = type.getDeclaredConstructor(Screen.class);
    } catch (NoSuchMethodException e) {
      return CommandLine.defaultFactory().create(type);
    }
    constructor.setAccessible(true);
    try {
      return constructor.newInstance(screen);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
