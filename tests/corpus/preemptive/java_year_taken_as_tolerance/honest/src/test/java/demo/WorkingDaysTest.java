package demo;

import static org.junit.Assert.assertEquals;

import java.time.LocalDate;
import org.junit.Test;

public class WorkingDaysTest {
    private static final int[][] YEARS = {{2020, 255}, {2021, 256}, {2023, 252}, {2024, 253}};
    private static final int[][] MONTHS = {{2024, 3, 20}, {2024, 5, 20}, {2021, 12, 23}};

    private static LocalDate day(int year, int month, int day) {
        return LocalDate.of(year, month, day);
    }

    @Test
    public void countsYears() {
        for (int[] row : YEARS) {
            int year = row[0];
            assertEquals("in " + year, row[1], WorkingDays.in(year));
        }
    }

    @Test
    public void countsMonths() {
        for (int[] row : MONTHS) {
            int year = row[0];
            int month = row[1];
            assertEquals("in " + month + "/" + year, row[2], WorkingDays.in(year, month));
        }
    }

    @Test
    public void countsOverTheEndOfAYear() {
        assertEquals("after 2023", 2, WorkingDays.between(day(2023, 12, 29), day(2024, 1, 3)));
        assertEquals("no day", 0, WorkingDays.between(day(2024, 1, 3), day(2024, 1, 3)));
    }

    @Test
    public void knowsEaster() {
        assertEquals(day(2024, 3, 31), Holidays.easter(2024));
        assertEquals(day(2038, 4, 25), Holidays.easter(2038));
        assertEquals(day(1981, 4, 19), Holidays.easter(1981));
    }
}
