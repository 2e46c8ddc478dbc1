package demo;

import java.time.LocalDate;
import java.util.Objects;

/** Who works on a day, and how long. */
public final class Shift {
    public final LocalDate day;
    public final String person;
    public final int hours;

    public Shift(LocalDate day, String person, int hours) {
        this.day = day;
        this.person = person;
        this.hours = hours;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Shift)) {
            return false;
        }
        Shift shift = (Shift) other;
        return day.equals(shift.day) && person.equals(shift.person) && hours == shift.hours;
    }

    @Override
    public int hashCode() {
        return Objects.hash(day, person, hours);
    }

    @Override
    public String toString() {
        return day + " " + person + " " + hours + "h";
    }
}
