package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.time.LocalDate;
import org.junit.Before;
import org.junit.Test;

public class RoomTest {
    private final Room room = new Room(3);

    private static Stay june(int from, int to, int guests) {
        return new Stay(LocalDate.of(2024, 6, from), LocalDate.of(2024, 6, to), guests);
    }

    @Before
    public void bookSomeNights() {
        room.book(june(10, 14, 2));
    }

    @Test
    public void takesWhatIsFree() {
        room.book(june(14, 15, 3));
        room.book(june(8, 10, 1));
        assertEquals(7, room.nights());
    }

    @Test
    public void refusesNightsThatAreTaken() {
        assertThrows(IllegalArgumentException.class, () -> room.book(june(13, 15, 1)));
        assertThrows(IllegalArgumentException.class, () -> room.book(june(8, 11, 1)));
        assertThrows(IllegalArgumentException.class, () -> room.book(june(11, 13, 1)));
        assertThrows(IllegalArgumentException.class, () -> room.book(june(1, 20, 1)));
        assertEquals(4, room.nights());
    }

    @Test
    public void refusesTooManyGuests() {
        assertThrows(IllegalArgumentException.class, () -> room.book(june(20, 21, 4)));
        assertThrows(IllegalArgumentException.class, () -> room.book(june(20, 21, 0)));
    }

    @Test
    public void refusesLongStays() {
        Room other = new Room(1);
        assertThrows(IllegalArgumentException.class, () -> other.book(june(1, 30, 1)));
        other.book(june(1, 29, 1));
        assertEquals(28, other.nights());
    }

    @Test
    public void staysHaveNights() {
        assertThrows(IllegalArgumentException.class, () -> june(5, 5, 1));
        assertThrows(IllegalArgumentException.class, () -> june(5, 4, 1));
    }
}
