package golang.chans;

import static org.assertj.core.api.Assertions.assertThat;

import golang.GoTest;
import java.net.URI;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The operations that the compiler allows on each end of a channel. */
class PermTest extends GoTest {
  private static final String SOURCE =
      """
      import io.heddle.*;
      class Perm {
        void assign(Chan<Integer> c, Receiver<Integer> r, Sender<Integer> s) {
          r = c;
          s = c;
          c = r; // ERROR
          c = s; // ERROR
          r = s; // ERROR
          s = r; // ERROR
        }
        void use(Chan<Integer> c, Receiver<Integer> r, Sender<Integer> s, Integer n) throws Exception {
          c.send(0);
          c.receive();
          r.send(0); // ERROR
          r.receive();
          s.send(0);
          s.receive(); // ERROR
          n.receive(); // ERROR
          n.send(2); // ERROR
        }
        void choose(Chan<Integer> c, Receiver<Integer> r, Sender<Integer> s) throws Exception {
          Select.select(Select.send(c, 0), Select.recv(c));
          Select.select(Select.recv(r), Select.send(s, 0));
          Select.select(Select.send(r, 0)); // ERROR
          Select.select(Select.recv(s)); // ERROR
        }
        void loop(Receiver<Integer> r, Sender<Integer> s) {
          for (Integer v : r) {}
          for (Integer v : s) {} // ERROR
        }
        void end(Chan<Integer> c, Receiver<Integer> r, Sender<Integer> s, Integer n) {
          c.close();
          s.close();
          r.close(); // ERROR
          n.close(); // ERROR
        }
      }
      """;

  @Test
  void eachEndHasItsSide() {
    assertThat(wrongLines()).containsExactlyElementsOf(markedLines());
  }

  private static List<Long> markedLines() {
    List<String> lines = SOURCE.lines().toList();
    return IntStream.range(0, lines.size())
        .filter(i -> lines.get(i).endsWith("// ERROR"))
        .mapToObj(i -> i + 1L)
        .toList();
  }

  private static TreeSet<Long> wrongLines() {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
    boolean compiled = javac.getTask(null, null, told, options, null, List.of(new Source())).call();
    assertThat(compiled).isFalse();
    return told.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(Diagnostic::getLineNumber)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static final class Source extends SimpleJavaFileObject {
    Source() {
      super(URI.create("string:///Perm.java"), Kind.SOURCE);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return SOURCE;
    }
  }
}
