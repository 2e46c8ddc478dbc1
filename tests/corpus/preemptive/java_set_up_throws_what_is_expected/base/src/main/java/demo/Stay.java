package demo;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/** Some nights of some guests. */
public final class Stay {
    public final LocalDate from;
    public final LocalDate to;
    public final int guests;

    /** A stay until the morning of its last day. */
    public Stay(LocalDate from, LocalDate to, int guests) {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("no night between " + from + " and " + to);
        }
        this.from = from;
        this.to = to;
        this.guests = guests;
    }

    public long nights() {
        return ChronoUnit.DAYS.between(from, to);
    }

    /** Whether two stays have a night in common. */
    public boolean overlaps(Stay other) {
        return from.isBefore(other.to) && other.from.isBefore(to);
    }
}
