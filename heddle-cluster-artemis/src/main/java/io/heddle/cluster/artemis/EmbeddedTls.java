package io.heddle.cluster.artemis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the keys and certificates for TLS from settings. */
final class EmbeddedTls {
  static final String KEY_STORE = "keystore";
  static final String TRUST_STORE = "truststore";
  private static final String PASSWORD = "Password";
  static final Set<String> SETTINGS =
      Set.of(KEY_STORE, KEY_STORE + PASSWORD, TRUST_STORE, TRUST_STORE + PASSWORD);

  private static final int PROBE_MILLIS = 2_000;

  private EmbeddedTls() {}

  /** A setting cannot be used; the message says why. */
  static final class BadStoreException extends Exception {
    private static final long serialVersionUID = 1;

    BadStoreException(String why, @Nullable Throwable cause) {
      super(why, cause);
    }
  }

  /**
   * Returns what the settings say; null if they say nothing. Without a trust store, the
   * certificates in the key store are trusted.
   */
  static @Nullable SSLContext of(Map<String, String> settings) throws BadStoreException {
    for (String each : new String[] {KEY_STORE, TRUST_STORE}) {
      if (settings.containsKey(each + PASSWORD) && !settings.containsKey(each)) {
        throw new BadStoreException(
            "the setting " + each + PASSWORD + " is there without " + each, null);
      }
    }
    KeyStore keys = load(settings, KEY_STORE);
    KeyStore trusted = settings.containsKey(TRUST_STORE) ? load(settings, TRUST_STORE) : keys;
    if (trusted == null) {
      return null;
    }
    try {
      KeyManager[] managers = new KeyManager[0];
      if (keys != null) {
        KeyManagerFactory factory =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password(settings, KEY_STORE));
        managers = factory.getKeyManagers();
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new BadStoreException("no TLS with these stores: " + e.getMessage(), e);
    }
  }

  private static @Nullable KeyStore load(Map<String, String> settings, String setting)
      throws BadStoreException {
    String path = settings.get(setting);
    if (path == null) {
      return null;
    }
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password(settings, setting));
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new BadStoreException(
          "the setting %s, %s, is no readable PKCS12 file with the password of %s: %s"
              .formatted(setting, path, setting + PASSWORD, e),
          e);
    }
  }

  private static char[] password(Map<String, String> settings, String store) {
    return settings.getOrDefault(store + PASSWORD, "").toCharArray();
  }

  /** Returns why no connection with TLS can be made, if TLS is the reason; Artemis does not say. */
  static @Nullable IOException probe(SSLContext tls, HubFinder.Place place) {
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket()) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(PROBE_MILLIS);
      socket.connect(new InetSocketAddress(place.host(), place.port()), PROBE_MILLIS);
      socket.startHandshake();
      return null;
    } catch (IOException e) {
      return e;
    }
  }
}
