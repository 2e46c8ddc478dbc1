package demo;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class SignTest {
    private final int number;
    private final String sign;

    public SignTest(int number, String sign) {
        this.number = number;
        this.sign = sign;
    }

    @Parameterized.Parameters
    public static Collection<Object[]> rows() {
        return Arrays.asList(new Object[][] {
            {5, "+"},
            {-5, "-"},
            {0, "0"},
        });
    }

    @Test
    public void sign() {
        assertEquals(sign, Sign.of(number));
    }
}
