/**
 * {@code heddle profile}: the formats of a wall-clock profile. In reading order: {@link
 * io.heddle.cli.profile.WallProfile}, the data; {@link io.heddle.cli.profile.ProfileSummary}, for
 * the terminal; {@link io.heddle.cli.profile.CollapsedStacks}, {@link
 * io.heddle.cli.profile.PprofFile} and {@link io.heddle.cli.profile.FlamePage}, for files; {@code
 * ProtobufOutput}, how a field is encoded.
 */
@NullMarked
package io.heddle.cli.profile;

import org.jspecify.annotations.NullMarked;
