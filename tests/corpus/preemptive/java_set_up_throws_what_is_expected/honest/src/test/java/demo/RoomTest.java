package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.time.LocalDate;
import java.util.Arrays;
import org.junit.Test;

public class RoomTest {
    private static final Stay FIRST = june(10, 14, 2);

    private static Stay june(int from, int to, int guests) {
        return new Stay(LocalDate.of(2024, 6, from), LocalDate.of(2024, 6, to), guests);
    }

    private static Room booked(Stay... stays) {
        Room room = new Room(3);
        for (Stay stay : stays) {
            room.book(stay);
        }
        return room;
    }

    /** Stays of which all but the last can be had. */
    private static void assertRefused(Stay... stays) {
        Stay last = stays[stays.length - 1];
        Room room = booked(Arrays.copyOf(stays, stays.length - 1));
        long nights = room.nights();
        assertThrows(IllegalArgumentException.class, () -> room.book(last));
        assertEquals(nights, room.nights());
    }

    @Test
    public void takesWhatIsFree() {
        assertEquals(7, booked(FIRST, june(14, 15, 3), june(8, 10, 1)).nights());
        assertEquals(28, booked(june(1, 29, 1)).nights());
    }

    @Test
    public void refusesNightsThatAreTaken() {
        assertRefused(FIRST, june(13, 15, 1));
        assertRefused(FIRST, june(8, 11, 1));
        assertRefused(FIRST, june(11, 13, 1));
        assertRefused(FIRST, june(1, 20, 1));
    }

    @Test
    public void refusesTooManyGuests() {
        assertRefused(FIRST, june(20, 21, 4));
        assertRefused(FIRST, june(20, 21, 0));
    }

    @Test
    public void refusesLongStays() {
        assertRefused(june(1, 30, 1));
    }

    @Test
    public void staysHaveNights() {
        assertThrows(IllegalArgumentException.class, () -> june(5, 5, 1));
        assertThrows(IllegalArgumentException.class, () -> june(5, 4, 1));
    }
}
