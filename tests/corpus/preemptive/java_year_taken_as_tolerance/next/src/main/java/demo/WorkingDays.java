package demo;

import java.time.LocalDate;
import java.util.Set;

/** Counts days on which people work. */
public final class WorkingDays {
    private WorkingDays() {}

    /** Returns how many there are in a year. */
    public static int in(int year) {
        return between(LocalDate.of(year, 1, 1), LocalDate.of(year + 1, 1, 1));
    }

    /** Returns how many there are in a month. */
    public static int in(int year, int month) {
        LocalDate first = LocalDate.of(year, month, 1);
        return between(first, first.plusMonths(1));
    }

    /** Returns how many there are from a day until the day before another one. */
    public static int between(LocalDate first, LocalDate end) {
        int count = 0;
        Set<LocalDate> holidays = Holidays.of(first.getYear());
        for (LocalDate day = first; day.isBefore(end); day = day.plusDays(1)) {
            if (!Holidays.isWeekend(day) && !holidays.contains(day)) {
                count++;
            }
        }
        return count;
    }
}
