package demo;

import static org.junit.Assert.assertEquals;

import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

public class RotaTest {
    private static final LocalDate THURSDAY = LocalDate.of(2024, 5, 2);

    private static Shift shift(int days, String person, int hours) {
        return new Shift(THURSDAY.plusDays(days), person, hours);
    }

    @Test
    public void peopleTakeTurns() {
        Set<Shift> wanted =
                Set.of(shift(0, "Ada", 8), shift(1, "Bob", 8), shift(2, "Ada", 5), shift(4, "Bob", 8));
        assertEquals(wanted, new Rota("Ada", "Bob").plan(THURSDAY, 5));
    }

    @Test
    public void somebodyElseComesIfOneIsAway() {
        Rota rota = new Rota("Ada", "Bob", "Eve").away("Ada", THURSDAY);
        assertEquals(
                Set.of(shift(0, "Bob", 8), shift(1, "Ada", 8), shift(2, "Bob", 5)), rota.plan(THURSDAY, 3));
    }

    @Test
    public void nobodyWorksIfAllAreAway() {
        Rota rota = new Rota("Ada").away("Ada", THURSDAY);
        assertEquals(Set.of(shift(1, "Ada", 8)), rota.plan(THURSDAY, 2));
        assertEquals(Set.of(), new Rota().plan(THURSDAY, 7));
    }

    @Test
    public void hoursAreCounted() {
        Set<Shift> shifts = Set.of(shift(0, "Ada", 8), shift(1, "Bob", 8), shift(2, "Ada", 5));
        assertEquals(Map.of("Ada", 13, "Bob", 8), Rota.hours(shifts));
    }
}
