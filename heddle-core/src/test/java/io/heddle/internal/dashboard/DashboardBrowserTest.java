package io.heddle.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The dashboard's page in a real browser, where one is installed. */
@Tag("full")
@Timeout(
    value = 180,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // includes the start of the browser
class DashboardBrowserTest {
  @Test
  void pageLoadsUpdatesFiltersAndSurvivesRestart() throws Exception {
    try (Chromium browser = Chromium.open()) {
      int port;
      try (LivelyProcess lively = new LivelyProcess(0)) {
        port = lively.port();
        browser.go(lively.url());
        Await.until(() -> status(browser), "live");
        loads(browser);
        updates(browser);
        filters(browser);
        showsAStack(browser);
        findsAllAgain(browser);
        switchesSchedulers(browser);
        fitsAPhone(browser);
        changesColours(browser);
        keepsUpWhenSlow(browser);
        assertThat(browser.complaints()).isEmpty();
      }
      Await.until(() -> status(browser), "connection lost: retrying");
      try (LivelyProcess _ = new LivelyProcess(port)) {
        Await.until(() -> status(browser), "live");
        updates(browser);
        loads(browser);
      }
    }
  }

  private static void loads(Chromium browser) {
    Await.until(() -> browser.runUnchecked("return document.querySelectorAll('.p').length"), 4L);
    Await.until(
        () -> (long) browser.runUnchecked("return document.querySelectorAll('.m').length") > 0);
    Await.until(
        () ->
            (long) browser.runUnchecked("return document.querySelectorAll('#rows .row').length")
                > 9);
    assertThat(browser.runUnchecked("return document.querySelectorAll('.p[role=listitem]').length"))
        .isEqualTo(4L);
  }

  /** Waits until a figure that only grows has grown, and checks that dots are drawn. */
  private static void updates(Chromium browser) {
    Await.until(
        () -> browser.runUnchecked("return document.querySelectorAll('#events li').length > 0"),
        true);
    Object before = figure(browser, 6);
    Await.until(() -> !figure(browser, 6).equals(before));
    assertThat(
            browser.runUnchecked(
                """
                const c = document.getElementById('dots');
                const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                return p.some((v, i) => i % 4 === 3 && v > 0)\
                """))
        .isEqualTo(true);
  }

  private static void filters(Chromium browser) throws Exception {
    browser.run(
        "const q = document.getElementById('q'); q.value = 'sleeper-1'; q.dispatchEvent(new"
            + " Event('input'))");
    Await.until(
        () -> names(browser),
        List.of("sleeper-1", "sleeper-10", "sleeper-11", "sleeper-12", "sleeper-13", "sleeper-14"));
    browser.run(
        "const s = document.getElementById('state'); s.value = 'syscall'; s.dispatchEvent(new"
            + " Event('change'))");
    Await.until(() -> names(browser), List.of());
    browser.run("document.querySelector('.kind[data-label=client]').click()");
    Await.until(() -> names(browser).size(), 8);
  }

  private static void showsAStack(Chromium browser) throws Exception {
    browser.run("document.querySelector('#rows button').click()");
    Await.until(
        () ->
            browser.runUnchecked(
                "return document.querySelector('.detail pre')?.textContent.includes('child.Lively')"
                    + " ?? false"),
        true);
  }

  private static void findsAllAgain(Chromium browser) throws Exception {
    browser.run(
        "const q = document.getElementById('q'); q.value = ''; q.dispatchEvent(new"
            + " Event('input'))");
    Await.until(() -> names(browser).size(), 25);
  }

  private static void switchesSchedulers(Chromium browser) throws Exception {
    choose(browser, "jobs");
    Await.until(() -> browser.runUnchecked("return document.querySelectorAll('.p').length"), 2L);
    choose(browser, "shared");
    Await.until(() -> browser.runUnchecked("return document.querySelectorAll('.p').length"), 4L);
  }

  private static void choose(Chromium browser, String scheduler) throws Exception {
    browser.run(
        "const s = document.getElementById('scheduler'); s.value = [...s.options].find(o => o.text"
            + " === '"
            + scheduler
            + "').value; s.dispatchEvent(new Event('change'))");
  }

  private static void fitsAPhone(Chromium browser) throws Exception {
    for (int width : new int[] {390, 820, 1360}) {
      browser.width(width);
      assertThat(browser.run("return document.documentElement.scrollWidth - innerWidth"))
          .as("horizontal overflow at width " + width)
          .satisfies(n -> assertThat((long) n).isLessThanOrEqualTo(0));
    }
  }

  private static void changesColours(Chromium browser) throws Exception {
    Object before = browser.run("return getComputedStyle(document.body).backgroundColor");
    browser.run("document.documentElement.dataset.theme = 'dark'");
    assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
        .isNotEqualTo(before);
    browser.run("document.getElementById('theme').click()");
  }

  /** A page that drew every update it gets would stop responding. */
  private static void keepsUpWhenSlow(Chromium browser) throws Exception {
    browser.slowDown(20);
    for (int i = 0; i < 4; i++) {
      Object before = figure(browser, 6);
      Await.until(() -> !figure(browser, 6).equals(before));
    }
    browser.slowDown(1);
  }

  private static Object status(Chromium browser) {
    return browser.runUnchecked("return document.getElementById('status').textContent");
  }

  private static Object figure(Chromium browser, int i) {
    return browser.runUnchecked(
        "return document.querySelectorAll('#figures dd')[" + i + "].textContent");
  }

  private static List<?> names(Chromium browser) {
    return (List<?>)
        browser.runUnchecked(
            "return [...document.querySelectorAll('#rows .row td:nth-child(2)')].map(td =>"
                + " td.textContent)");
  }
}
