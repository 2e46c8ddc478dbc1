package demo;

import java.math.BigDecimal;
import java.math.RoundingMode;

public class Receipt {
    public static String line(String name, double price) {
        return name + " " + BigDecimal.valueOf(price).setScale(2, RoundingMode.HALF_UP);
    }
}
