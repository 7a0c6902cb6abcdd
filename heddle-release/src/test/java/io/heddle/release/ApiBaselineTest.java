package io.heddle.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * japicmp compares the jar with an older one, the baseline. There is no release yet that could be
 * it, so these baselines are made from the jar itself; until then {@code ApiTest} compares with the
 * recorded list.
 */
class ApiBaselineTest {
  @Test
  void jarThatHasAllOfTheBaselineIsAccepted() throws Exception {
    assertThat(compareWith(baseline("same.jar")).succeeded().exitCode()).isZero();
  }

  @Test
  void methodThatTheBaselineHasInAdditionIsReported() throws Exception {
    Path baseline = baseline("more.jar");
    addMethod(baseline, "/io/heddle/Go.class", "gone");

    Build.Result result = compareWith(baseline);

    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output()).contains("gone", "METHOD_REMOVED");
  }

  @Test
  void internalMethodMayGo() throws Exception {
    Path baseline = baseline("internal.jar");
    addMethod(baseline, "/io/heddle/internal/sched/Sched.class", "gone");

    assertThat(compareWith(baseline).succeeded().exitCode()).isZero();
  }

  private static Build.Result compareWith(Path baseline) throws Exception {
    return Build.maven(
        Build.ROOT,
        "-Dmaven.repo.local=" + Build.LOCAL_REPOSITORY,
        "-Dheddle.api.baseline=" + baseline,
        "jar:jar@default-jar",
        "japicmp:cmp@api",
        "-pl",
        "heddle-core");
  }

  private static Path baseline(String name) throws IOException {
    return Files.copy(
        Staging.ofThisBuild().file("heddle", ".jar"),
        Build.emptyFolder("baseline of " + name).resolve(name));
  }

  private static void addMethod(Path jar, String type, String method) throws IOException {
    try (FileSystem files = FileSystems.newFileSystem(jar)) {
      Path file = files.getPath(type);
      ClassFile classFile = ClassFile.of();
      byte[] changed =
          classFile.transformClass(
              classFile.parse(Files.readAllBytes(file)),
              ClassTransform.endHandler(
                  builder ->
                      builder.withMethodBody(
                          method,
                          MethodTypeDesc.of(ConstantDescs.CD_void),
                          ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                          code -> code.return_())));
      Files.write(file, changed);
    }
  }
}
