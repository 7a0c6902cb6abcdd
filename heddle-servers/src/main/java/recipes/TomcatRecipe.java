package recipes;

import acme.TomcatServer;
import io.heddle.Scheduler;
import org.apache.catalina.connector.Connector;

/** Tomcat with a goroutine for each request. */
public final class TomcatRecipe {
  private TomcatRecipe() {}

  public static void main(String[] args) throws Exception {
    // recipe
    Connector connector = new Connector();
    connector.getProtocolHandler().setExecutor(Scheduler.shared().executor());
    // end
    TomcatServer.start(connector, Integer.parseInt(args[0]));
  }
}
