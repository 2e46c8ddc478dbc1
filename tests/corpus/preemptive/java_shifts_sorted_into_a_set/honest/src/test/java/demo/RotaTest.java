package demo;

import static org.junit.Assert.assertEquals;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.Test;

public class RotaTest {
    private static final LocalDate THURSDAY = LocalDate.of(2024, 5, 2);
    private static final Comparator<Shift> BY_DAY =
            Comparator.comparing((Shift shift) -> shift.day).thenComparing(shift -> shift.person).thenComparing(shift -> shift.hours);

    private static Shift shift(int days, String person, int hours) {
        return new Shift(THURSDAY.plusDays(days), person, hours);
    }

    private static SortedSet<Shift> sorted(Collection<Shift> shifts) {
        SortedSet<Shift> sorted = new TreeSet<>(BY_DAY);
        sorted.addAll(shifts);
        return sorted;
    }

    /** Compares shifts day by day: in a failure both sides are shown in the order of the calendar. */
    private static void assertShifts(Collection<Shift> found, Shift... wanted) {
        assertEquals(sorted(Arrays.asList(wanted)), sorted(found));
    }

    @Test
    public void peopleTakeTurns() {
        assertShifts(
                new Rota("Ada", "Bob").plan(THURSDAY, 5),
                shift(0, "Ada", 8),
                shift(1, "Bob", 8),
                shift(2, "Ada", 5),
                shift(4, "Bob", 8));
    }

    @Test
    public void somebodyElseComesIfOneIsAway() {
        Rota rota = new Rota("Ada", "Bob", "Eve").away("Ada", THURSDAY);
        assertShifts(rota.plan(THURSDAY, 3), shift(0, "Bob", 8), shift(1, "Ada", 8), shift(2, "Bob", 5));
    }

    @Test
    public void nobodyWorksIfAllAreAway() {
        Rota rota = new Rota("Ada").away("Ada", THURSDAY);
        assertShifts(rota.plan(THURSDAY, 2), shift(1, "Ada", 8));
        assertShifts(new Rota().plan(THURSDAY, 7));
    }

    @Test
    public void hoursAreCounted() {
        Set<Shift> shifts = Set.of(shift(0, "Ada", 8), shift(1, "Bob", 8), shift(2, "Ada", 5));
        assertEquals(Map.of("Ada", 13, "Bob", 8), Rota.hours(shifts));
    }
}
