package io.heddle.cli;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of a command, in the language of {@code man}: the text of its help. */
final class ManPage {
  private static final String HEADING = "Heading";

  private ManPage() {}

  /** Returns the name of the page and of its file without the suffix: {@code heddle-run}. */
  static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  static String of(CommandLine command) {
    Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Help.Ansi.OFF));
    StringBuilder page = new StringBuilder();
    page.append(".TH ").append(name(command).toUpperCase(Locale.ROOT)).append(" 1 \"\" heddle\n");
    section(page, "Name", name(command) + " - " + firstLine(help.description()));
    section(page, "Synopsis", help.synopsis(0));
    String heading = "Description";
    for (String key : command.getHelpSectionKeys()) {
      IHelpSectionRenderer renderer = command.getHelpSectionMap().get(key);
      if (renderer == null || key.startsWith("synopsis") || key.startsWith("header")) {
        continue;
      }
      String text = renderer.render(help);
      if (!key.endsWith(HEADING)) {
        section(page, heading, text);
      } else if (key.equals(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING) && text.isBlank()) {
        heading = "Notes";
      } else if (!text.isBlank()) {
        heading = text.strip().replaceFirst(":$", "");
      }
    }
    CommandLine parent = command.getParent();
    if (parent != null) {
      section(page, "See also", name(parent) + "(1)");
    }
    return page.toString();
  }

  /** Adds a section whose lines stay as they are: the help has arranged them already. */
  private static void section(StringBuilder page, String heading, String text) {
    if (!text.isBlank()) {
      page.append(".SH ").append(heading.toUpperCase(Locale.ROOT)).append("\n.nf\n");
      text.stripTrailing().lines().forEach(line -> page.append(escaped(line)).append('\n'));
      page.append(".fi\n");
    }
  }

  /** A dot or an apostrophe at the start of a line would be a request. */
  private static String escaped(String line) {
    String text = line.replace("\\", "\\e").replace("-", "\\-");
    return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
