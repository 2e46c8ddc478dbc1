package demo;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gives the days of a shop to people in turn. */
public final class Rota {
    private final List<String> people;
    private final Map<String, Set<LocalDate>> away = new HashMap<>();

    public Rota(String... people) {
        this.people = List.of(people);
    }

    /** Says that somebody can't work on a day. Returns the rota itself. */
    public Rota away(String person, LocalDate day) {
        away.computeIfAbsent(person, unused -> new HashSet<>()).add(day);
        return this;
    }

    /**
     * Returns the shifts of so many days, in no order: 8 hours, on Saturdays 5, on Sundays none. Who is away when it is
     * their turn has the next one. Nobody works if all are away.
     */
    public Set<Shift> plan(LocalDate first, int days) {
        Set<Shift> shifts = new HashSet<>();
        int turn = 0;
        for (LocalDate day : (Iterable<LocalDate>) first.datesUntil(first.plusDays(days))::iterator) {
            if (day.getDayOfWeek() == DayOfWeek.SUNDAY) {
                continue;
            }
            for (int next = turn; next < turn + people.size(); next++) {
                String person = people.get(next % people.size());
                if (!away.getOrDefault(person, Set.of()).contains(day)) {
                    shifts.add(new Shift(day, person, 8));
                    turn = next + 1;
                    break;
                }
            }
        }
        return shifts;
    }

    /** Returns the hours of each person in some shifts. */
    public static Map<String, Integer> hours(Set<Shift> shifts) {
        Map<String, Integer> hours = new HashMap<>();
        shifts.forEach(shift -> hours.merge(shift.person, shift.hours, Integer::sum));
        return hours;
    }
}
