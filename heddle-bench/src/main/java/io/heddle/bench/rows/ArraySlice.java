package io.heddle.bench.rows;

/** One task's part of an array that several tasks share. */
public record ArraySlice(int[] numbers, int from, int to) {
  public static ArraySlice of(int[] numbers, int task, int tasks) {
    int stride = numbers.length / tasks;
    int to = task == tasks - 1 ? numbers.length : (task + 1) * stride;
    return new ArraySlice(numbers, task * stride, to);
  }

  public long sum() {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += numbers[i];
    }
    return sum;
  }
}
