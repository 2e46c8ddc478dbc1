package demo;

import static org.junit.Assert.assertEquals;

import java.time.LocalDate;
import org.junit.Test;

public class WorkingDaysTest {
    @Test
    public void countsYears() {
        assertEquals(255, WorkingDays.in(2020));
        assertEquals(256, WorkingDays.in(2021));
        assertEquals(252, WorkingDays.in(2023));
        assertEquals(253, WorkingDays.in(2024));
    }

    @Test
    public void countsMonths() {
        assertEquals(20, WorkingDays.in(2024, 3));
        assertEquals(20, WorkingDays.in(2024, 5));
        assertEquals(23, WorkingDays.in(2021, 12));
    }

    @Test
    public void countsOverTheEndOfAYear() {
        assertEquals(2, WorkingDays.between(LocalDate.of(2023, 12, 29), LocalDate.of(2024, 1, 3)));
        assertEquals(0, WorkingDays.between(LocalDate.of(2024, 1, 3), LocalDate.of(2024, 1, 3)));
    }

    @Test
    public void knowsEaster() {
        assertEquals(LocalDate.of(2024, 3, 31), Holidays.easter(2024));
        assertEquals(LocalDate.of(2038, 4, 25), Holidays.easter(2038));
        assertEquals(LocalDate.of(1981, 4, 19), Holidays.easter(1981));
    }
}
