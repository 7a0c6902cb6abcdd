package acme.spring;

import acme.Answers;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A Spring Boot application with {@code spring.threads.virtual.enabled=true}. */
@RestController
@SpringBootApplication
public class SpringServer {
  public static void main(String[] args) {
    start(SpringServer.class, "--spring.threads.virtual.enabled=true", "--server.port=" + args[0]);
  }

  public static void start(Class<?> application, String... args) {
    SpringApplication spring = new SpringApplication(application);
    spring.setDefaultProperties(
        Map.of("server.address", "127.0.0.1", "spring.main.banner-mode", "off"));
    ConfigurableApplicationContext context = spring.run(args);
    System.out.println("listening on " + context.getEnvironment().getProperty("local.server.port"));
  }

  @GetMapping("/{path}")
  public String answer(@PathVariable("path") String path, @RequestParam("n") long n)
      throws InterruptedException {
    String answer = Answers.to("/" + path, n);
    if (answer == null) {
      throw new ResponseStatusException(HttpStatus.NOT_FOUND);
    }
    return answer;
  }
}
