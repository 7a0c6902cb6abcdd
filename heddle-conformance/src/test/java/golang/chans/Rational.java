package golang.chans;

/** In lowest terms, with a positive denominator. */
record Rational(long over, long under) {
  static final Rational ZERO = of(0);
  static final Rational ONE = of(1);

  static Rational of(long whole) {
    return new Rational(whole, 1);
  }

  static Rational of(long over, long under) {
    long d = gcd(Math.abs(over), Math.abs(under)) * Long.signum(under);
    return new Rational(over / d, under / d);
  }

  Rational plus(Rational other) {
    return of(
        Math.addExact(Math.multiplyExact(over, other.under), Math.multiplyExact(other.over, under)),
        Math.multiplyExact(under, other.under));
  }

  Rational times(Rational other) {
    return of(Math.multiplyExact(over, other.over), Math.multiplyExact(under, other.under));
  }

  Rational negated() {
    return new Rational(-over, under);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
