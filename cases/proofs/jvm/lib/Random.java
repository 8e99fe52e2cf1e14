package lib;

/** A seeded generator: the same seed gives the same values on every machine and version. */
public final class Random {
    private static final String CONSONANTS = "bcdfghjklmnprstvz";
    private static final String VOWELS = "aeiou";

    private final java.util.Random random;

    public Random(long seed) {
        random = new java.util.Random(seed);
    }

    /** A whole number, both ends included. */
    public int integer(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    public long wide() {
        return random.nextLong();
    }

    /** A number from 0 up to, but not including, 1. */
    public double unit() {
        return random.nextDouble();
    }

    public boolean chance(double share) {
        return random.nextDouble() < share;
    }

    @SafeVarargs
    public final <T> T pick(T... of) {
        return of[random.nextInt(of.length)];
    }

    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    public String word() {
        StringBuilder word = new StringBuilder();
        for (int syllable = integer(2, 4); syllable > 0; syllable--) {
            word.append(CONSONANTS.charAt(random.nextInt(CONSONANTS.length())));
            word.append(VOWELS.charAt(random.nextInt(VOWELS.length())));
        }
        return word.toString();
    }

    public String[] words(int count) {
        String[] words = new String[count];
        for (int at = 0; at < count; at++) {
            words[at] = word();
        }
        return words;
    }

    /** A moment within about three years, in milliseconds since 1970. */
    public long moment() {
        return 1_640_995_200_000L + (long) (random.nextDouble() * 94_672_800_000L);
    }
}
