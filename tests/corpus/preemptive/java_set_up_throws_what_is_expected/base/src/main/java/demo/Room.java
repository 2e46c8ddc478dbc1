package demo;

import java.util.ArrayList;
import java.util.List;

/** A room and when it is taken. */
public final class Room {
    private static final int LONGEST = 28;

    private final int beds;
    private final List<Stay> stays = new ArrayList<>();

    public Room(int beds) {
        this.beds = beds;
    }

    /** Takes the room for a stay, or throws IllegalArgumentException and leaves it as it is. */
    public void book(Stay stay) {
        if (stay.guests < 1 || stay.guests > beds) {
            throw new IllegalArgumentException(stay.guests + " guests for " + beds + " beds");
        }
        if (stay.nights() > LONGEST) {
            throw new IllegalArgumentException("more than " + LONGEST + " nights");
        }
        for (Stay other : stays) {
            if (stay.overlaps(other)) {
                throw new IllegalArgumentException("taken from " + other.from + " to " + other.to);
            }
        }
        stays.add(stay);
    }

    public long nights() {
        return stays.stream().mapToLong(Stay::nights).sum();
    }
}
