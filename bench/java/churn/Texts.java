import java.util.ArrayList;
import java.util.List;

/** Lines of text, split, joined and searched. */
public class Texts {
    public static void main(String[] arguments) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) lines.add("name " + i + ",street " + i % 90 + ",city " + i % 7 + "," + i * 3);
        long sum = 0;
        for (int round = 0; round < 900; round++) {
            for (String line : lines) {
                String[] fields = line.split(",");
                sum += String.join(";", fields).length() + Integer.parseInt(fields[3]) % 7 + fields[1].toUpperCase().length();
            }
        }
        System.out.println(sum);
    }
}
