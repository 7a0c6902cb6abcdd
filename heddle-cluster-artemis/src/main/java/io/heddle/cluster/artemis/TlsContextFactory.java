package io.heddle.cluster.artemis;

import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.remoting.impl.ssl.DefaultSSLContextFactory;
import org.apache.activemq.artemis.spi.core.remoting.ssl.SSLContextConfig;

/**
 * Gives Artemis the context that {@link Transport} has put among the parameters of a connection.
 * Artemis finds this class as a service, and asks it about connections of others, too: for those it
 * does what Artemis does by itself.
 */
public final class TlsContextFactory extends DefaultSSLContextFactory {
  private static final int PRIORITY = 20; // the factories of Artemis have 5 and 10

  /** For {@link java.util.ServiceLoader}. */
  public TlsContextFactory() {}

  @Override
  public SSLContext getSSLContext(SSLContextConfig config, Map<String, Object> parameters)
      throws Exception {
    return parameters.get(TransportConstants.SSL_CONTEXT_PROP_NAME) instanceof SSLContext ours
        ? ours
        : super.getSSLContext(config, parameters);
  }

  @Override
  public int getPriority() {
    return PRIORITY;
  }
}
