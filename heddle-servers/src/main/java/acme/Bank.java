package acme;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * Moves money between accounts of a database, in many virtual threads that share a pool of 20
 * connections.
 */
public final class Bank {
  public static final int CONNECTIONS = 20;
  public static final int ACCOUNTS = 1000;
  private static final int BALANCE = 100;

  private final DataSource source;

  public Bank(DataSource source) {
    this.source = source;
  }

  /**
   * Arguments: a URL, the number of threads, the number of transfers per thread, the number of
   * repetitions.
   */
  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(CONNECTIONS);
    try (HikariDataSource pool = new HikariDataSource(config);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Bank bank = new Bank(pool);
      bank.open();
      for (int round = 0; round < Integer.parseInt(args[3]); round++) {
        bank.work(executor, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
      }
    }
  }

  /** Creates the accounts, with equal balances. */
  public void open() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table if exists account");
      statement.execute("create table account (id int primary key, balance int not null)");
      for (int id = 0; id < ACCOUNTS; id++) {
        statement.addBatch("insert into account values (" + id + ", " + BALANCE + ")");
      }
      statement.executeBatch();
    }
  }

  /** Prints the time, whether the total balance is unchanged, and the thread of one transfer. */
  public void work(ExecutorService executor, int threads, int transfers) throws Exception {
    long start = System.nanoTime();
    List<Future<String>> works = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      works.add(executor.submit(transfers(transfers)));
    }
    String thread = null;
    for (Future<String> work : works) {
      thread = work.get();
    }
    long micros = (System.nanoTime() - start) / 1000;
    System.out.println("transfers " + threads * transfers + " in " + micros + " us");
    System.out.println("balance " + balance() + " of " + ACCOUNTS * BALANCE + " on " + thread);
  }

  private Callable<String> transfers(int n) {
    return () -> {
      for (int i = 0; i < n; i++) {
        transfer();
      }
      return Thread.currentThread().toString();
    };
  }

  private void transfer() throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int from = random.nextInt(ACCOUNTS - 1);
    int to = random.nextInt(from + 1, ACCOUNTS);
    int amount = random.nextInt(-BALANCE, BALANCE);
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      add(
          connection,
          from,
          -amount); // always the lower account first, so that transfers cannot deadlock
      add(connection, to, amount);
      connection.commit();
    }
  }

  private static void add(Connection connection, int account, int amount) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("update account set balance = balance + ? where id = ?")) {
      statement.setInt(1, amount);
      statement.setInt(2, account);
      statement.executeUpdate();
    }
  }

  private long balance() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select sum(balance) from account")) {
      result.next();
      return result.getLong(1);
    }
  }
}
