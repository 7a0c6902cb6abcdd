package shop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** An application that knows nothing of Heddle: the starter is on its class path, that is all. */
@SpringBootApplication
@EnableAsync
@EnableScheduling
@RestController
public class ShopApplication {
  private final Chores chores;

  ShopApplication(Chores chores) {
    this.chores = chores;
  }

  public static void main(String[] args) {
    SpringApplication.run(ShopApplication.class, args);
  }

  @EventListener
  void listening(WebServerInitializedEvent event) {
    System.out.println("listening on " + event.getWebServer().getPort());
  }

  @GetMapping("/square")
  String square(@RequestParam("n") long n) {
    return Long.toString(n * n);
  }

  @GetMapping("/thread")
  String thread() {
    return Thread.currentThread().toString();
  }

  @GetMapping("/async")
  String async() {
    return chores.inBackground().join();
  }

  @GetMapping("/scheduled")
  String scheduled() throws InterruptedException {
    return chores.scheduled();
  }

  /** Computes without an end. */
  @GetMapping("/compute")
  String compute() {
    long x = 1;
    while (x != 0) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    return "never";
  }

  @Component
  static class Chores {
    private final CountDownLatch ran = new CountDownLatch(1);
    private volatile String thread = "";

    @Async
    public CompletableFuture<String> inBackground() {
      return CompletableFuture.completedFuture(Thread.currentThread().toString());
    }

    @Scheduled(fixedRate = 1000)
    public void often() {
      thread = Thread.currentThread().toString();
      ran.countDown();
    }

    String scheduled() throws InterruptedException {
      ran.await();
      return thread;
    }
  }
}
