package io.heddle.internal.note;

/** The common interface of {@link Note} and {@link BrokenNote}, so that one scene can test both. */
interface Event {
  boolean sleep(long nanos);

  void wakeup();

  /** The real note. */
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
