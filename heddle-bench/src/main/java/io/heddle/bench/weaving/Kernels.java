package io.heddle.bench.weaving;

import java.util.ArrayList;
import java.util.List;

/** Loops and calls with almost no other work, where the cost of a yield check shows most. */
final class Kernels {
  private static final int N = 10_000;
  private static final int SIDE = 64;

  private final int[] numbers = new int[N];
  private final double[] x = new double[N];
  private final double[] y = new double[N];
  private final double[][] a = new double[SIDE][SIDE];
  private final double[][] b = new double[SIDE][SIDE];
  private final double[][] c = new double[SIDE][SIDE];
  private final boolean[] composite = new boolean[N];
  private final List<Integer> list = new ArrayList<>();
  private final String text = "a heddle lifts the threads of a loom ".repeat(100);

  Kernels() {
    for (int i = 0; i < N; i++) {
      numbers[i] = 31 * i;
      x[i] = i;
      list.add(i);
    }
    for (int i = 0; i < SIDE; i++) {
      for (int j = 0; j < SIDE; j++) {
        a[i][j] = i + j;
        b[i][j] = i - j;
      }
    }
  }

  int sum() {
    int sum = 0;
    for (int i = 0; i < numbers.length; i++) {
      sum += numbers[i];
    }
    return sum;
  }

  double scale() {
    for (int i = 0; i < x.length; i++) {
      y[i] += 0.5 * x[i];
    }
    return y[N - 1];
  }

  double matrix() {
    for (int i = 0; i < SIDE; i++) {
      for (int j = 0; j < SIDE; j++) {
        double sum = 0;
        for (int k = 0; k < SIDE; k++) {
          sum += a[i][k] * b[k][j];
        }
        c[i][j] = sum;
      }
    }
    return c[SIDE - 1][SIDE - 1];
  }

  int sieve() {
    int count = 0;
    for (int i = 2; i < N; i++) {
      composite[i] = false;
    }
    for (int i = 2; i < N; i++) {
      if (!composite[i]) {
        count++;
        for (int j = 2 * i; j < N; j += i) {
          composite[j] = true;
        }
      }
    }
    return count;
  }

  int collatz() {
    int steps = 0;
    for (long start = 837_000; start < 837_100; start++) {
      for (long n = start; n != 1; n = (n & 1) == 0 ? n >> 1 : 3 * n + 1) {
        steps++;
      }
    }
    return steps;
  }

  int hash() {
    int hash = 0;
    for (int i = 0; i < text.length(); i++) {
      hash = 31 * hash + text.charAt(i);
    }
    return hash;
  }

  int list() {
    int sum = 0;
    for (int i = 0; i < list.size(); i++) {
      sum += list.get(i);
    }
    return sum;
  }

  int append() {
    StringBuilder builder = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      builder.append(i);
    }
    return builder.length();
  }

  int fib() {
    return fib(18);
  }

  private static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }
}
