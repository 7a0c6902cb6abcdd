package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import acme.Bank;
import io.heddle.servers.ChildProgram.SchedulerChoice;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thousand virtual threads share 20 connections to a database, with and without the agent. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BankTest {
  static final String H2 = "jdbc:h2:mem:bank;LOCK_TIMEOUT=60000";
  static final int THREADS = 1000;
  static final int TRANSFERS = 5;

  @Test
  void h2OnGoroutines() throws Exception {
    h2(SchedulerChoice.ADOPTED);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = "JDK")
  void h2(SchedulerChoice under) throws Exception {
    checkTransfers(under, H2);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"JDK", "ADOPTED"})
  void postgres(SchedulerChoice under) throws Exception {
    assumeTrue(Postgres.missing().isEmpty(), () -> Postgres.missing().orElseThrow());
    try (Postgres postgres = Postgres.start()) {
      checkTransfers(under, postgres.url());
    }
  }

  private static void checkTransfers(SchedulerChoice under, String url) throws Exception {
    String[] args = {url, "" + THREADS, "" + TRANSFERS, "1"};
    try (ChildProgram program = ChildProgram.start(under, List.of(), Bank.class, args)) {
      check(program, under != SchedulerChoice.JDK);
    }
  }

  static void check(ChildProgram program, boolean onGoroutines) throws InterruptedException {
    assertThat(program.awaitEnd()).as(program::said).isZero();
    assertThat(program.said())
        .contains("transfers " + THREADS * TRANSFERS + " in ")
        .contains("balance 100000 of 100000 on VirtualThread");
    assertThat(program.said().contains("@heddle-shared-M")).isEqualTo(onGoroutines);
  }
}
