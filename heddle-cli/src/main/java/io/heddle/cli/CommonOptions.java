package io.heddle.cli;

import picocli.CommandLine.Command;

/**
 * The options of all commands, {@code --help} and {@code --version}, and the headings of the help.
 */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisHeading = "%nUsage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%nArguments:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%n")
final class CommonOptions {}
