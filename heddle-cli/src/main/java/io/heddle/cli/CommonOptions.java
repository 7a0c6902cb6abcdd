package io.heddle.cli;

import picocli.CommandLine.Command;

/** What all commands have in common: {@code --help}, {@code --version}, and the headings of the help. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisHeading = "%nUsage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%nArguments:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%n")
final class CommonOptions {}
