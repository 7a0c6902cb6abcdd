package acme;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** Tomcat on virtual threads. */
public final class TomcatServer {
  private TomcatServer() {}

  public static void main(String[] args) throws Exception {
    Connector connector = new Connector();
    connector.setProperty("useVirtualThreads", "true");
    start(connector, Integer.parseInt(args[0]));
  }

  public static void start(Connector connector, int port) throws Exception {
    connector.setProperty("address", "127.0.0.1");
    connector.setPort(port);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "answers", new AnswerServlet()).addMapping("/*");
    tomcat.start();
    System.out.println("listening on " + connector.getLocalPort());
  }

  private static final class AnswerServlet extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        String answer = Answers.to(request.getRequestURI(), request.getQueryString());
        if (answer == null) {
          response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else {
          response.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
        }
      } catch (InterruptedException e) {
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      }
    }
  }
}
