package recipes;

import acme.Bank;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.heddle.Scheduler;
import java.util.concurrent.ExecutorService;

/**
 * JDBC through a pool: a goroutine that waits for a connection or for the database holds no thread.
 */
public final class JdbcRecipe {
  private JdbcRecipe() {}

  /** Arguments: see {@link Bank}. */
  public static void main(String[] args) throws Exception {
    String url = args[0];
    // recipe
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(20);
    config.setThreadFactory(Scheduler.shared().threadFactory()); // the pool's own chores, too
    HikariDataSource pool = new HikariDataSource(config);
    ExecutorService executor = Scheduler.shared().executor();
    // end
    try (pool;
        executor) {
      Bank bank = new Bank(pool);
      bank.open();
      bank.work(executor, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    }
  }
}
