package demo;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Set;
import java.util.TreeSet;

/** Days on which nobody works. */
public final class Holidays {
    private Holidays() {}

    /** Returns Easter Sunday, by the method of Gauss for 1900 to 2099. */
    public static LocalDate easter(int year) {
        int moon = (19 * (year % 19) + 24) % 30;
        int sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
        if (moon == 29 && sunday == 6 || moon == 28 && sunday == 6 && year % 19 > 10) {
            sunday = -1;
        }
        return LocalDate.of(year, 3, 22).plusDays(moon + sunday);
    }

    /** Returns the holidays of a year, on weekends as well. */
    public static Set<LocalDate> of(int year) {
        Set<LocalDate> days = new TreeSet<>();
        days.add(LocalDate.of(year, 1, 1));
        days.add(easter(year).minusDays(2));
        days.add(easter(year).plusDays(1));
        days.add(LocalDate.of(year, 5, 1));
        days.add(easter(year).plusDays(39));
        days.add(easter(year).plusDays(49));
        days.add(LocalDate.of(year, 10, 3));
        days.add(LocalDate.of(year, 12, 25));
        days.add(LocalDate.of(year, 12, 26));
        return days;
    }

    public static boolean isWeekend(LocalDate day) {
        return day.getDayOfWeek() == DayOfWeek.SATURDAY || day.getDayOfWeek() == DayOfWeek.SUNDAY;
    }
}
