package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.time.LocalDate;
import org.junit.Test;

public class RoomTest {
    private static final Stay FIRST = june(10, 14, 2);

    private static Stay june(int from, int to, int guests) {
        return new Stay(LocalDate.of(2024, 6, from), LocalDate.of(2024, 6, to), guests);
    }

    /** A room in which the first guests have booked, and then others. */
    private static Room booked(Stay... others) {
        Room room = new Room(3);
        room.book(FIRST);
        for (Stay stay : others) {
            room.book(stay);
        }
        return room;
    }

    /** Stays that can't all be had. */
    private static void assertRefused(Stay... stays) {
        assertThrows(IllegalArgumentException.class, () -> booked(stays));
    }

    @Test
    public void takesWhatIsFree() {
        assertEquals(7, booked(june(14, 15, 3), june(8, 10, 1)).nights());
        assertEquals(4, booked().nights());
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
        assertRefused(FIRST, june(1, 30, 1));
        Room other = new Room(1);
        other.book(june(1, 29, 1));
        assertEquals(28, other.nights());
    }

    @Test
    public void staysHaveNights() {
        assertThrows(IllegalArgumentException.class, () -> june(5, 5, 1));
        assertThrows(IllegalArgumentException.class, () -> june(5, 4, 1));
    }
}
