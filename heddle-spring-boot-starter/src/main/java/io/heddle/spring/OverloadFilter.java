package io.heddle.spring;

import io.heddle.Scheduler;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Answers a request with status 503 if goroutines wait too long for a P. It does so itself and
 * without an error page, because the answer must cost little.
 */
final class OverloadFilter implements Filter {
  private static final byte[] ANSWER = "overloaded\n".getBytes(StandardCharsets.US_ASCII);

  private final Scheduler scheduler;
  private final List<String> exclude;

  /** Excludes the requests whose path begins with one of {@code exclude}. */
  OverloadFilter(Scheduler scheduler, List<String> exclude) {
    this.scheduler = scheduler;
    this.exclude = exclude;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (isExcluded(request) || scheduler.tryAdmit()) {
      chain.doFilter(request, response);
      return;
    }
    HttpServletResponse answer = (HttpServletResponse) response;
    answer.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    answer.setHeader("Retry-After", "1");
    answer.setContentType("text/plain");
    answer.setContentLength(ANSWER.length);
    answer.getOutputStream().write(ANSWER);
  }

  private boolean isExcluded(ServletRequest request) {
    HttpServletRequest http = (HttpServletRequest) request;
    String path = http.getRequestURI().substring(http.getContextPath().length());
    return exclude.stream().anyMatch(path::startsWith);
  }
}
