package io.heddle.internal.note;

/** What {@link Note} and {@link BrokenNote} have in common, so that one scene can try both. */
interface Event {
  boolean sleep(long nanos);

  void wakeup();

  /** The real one. */
  final class Sound implements Event {
    private final Note note = new Note();

    @Override
    public boolean sleep(long nanos) {
      return note.sleep(nanos);
    }

    @Override
    public void wakeup() {
      note.wakeup();
    }
  }
}
