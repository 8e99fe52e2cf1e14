import com.google.common.collect.ImmutableList;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import it.unimi.dsi.fastutil.objects.ObjectArrayList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;

/** Containers of several libraries, each class filled with 0 to 100 entries: which class has how many is printed. */
class Collections {
    static final List<Object> held = new ArrayList<>();
    static final StringBuilder said = new StringBuilder();

    /** Makes a container of each size. */
    static void of(IntFunction<Object> made) {
        of(made, 0);
    }

    /** The same of one that has more entries in all than it was asked for. */
    static void of(IntFunction<Object> made, long entries) {
        Object last = null;
        for (int size = 1; size <= 100; size++) {
            last = made.apply(size);
            held.add(last);
            entries += size;
        }
        said.append(last.getClass().getName()).append(' ').append(entries).append('\n');
    }

    static String text(int at) {
        return "entry " + at;
    }

    static <T> T filled(T empty, int size, BiConsumer<T, Integer> put) {
        for (int at = 0; at < size; at++) {
            put.accept(empty, at + 1);
        }
        return empty;
    }

    public static void main(String[] arguments) throws Exception {
        of(n -> filled(new IntArrayList(), n, (to, at) -> to.add((int) at)));
        of(n -> filled(new ObjectArrayList<String>(), n, (to, at) -> to.add(text(at))));
        of(n -> filled(new Int2ObjectOpenHashMap<String>(1), n, (to, at) -> to.put((int) at, text(at))));
        of(n -> filled(new Object2IntOpenHashMap<String>(1), n, (to, at) -> to.put(text(at), (int) at)));
        of(n -> filled(new LongOpenHashSet(1), n, (to, at) -> to.add((long) at)));
        of(n -> filled(new com.carrotsearch.hppc.IntArrayList(), n, (to, at) -> to.add(at)));
        of(n -> filled(new com.carrotsearch.hppc.IntObjectHashMap<String>(1), n, (to, at) -> to.put(at, text(at))));
        of(n -> filled(new com.carrotsearch.hppc.LongHashSet(1), n, (to, at) -> to.add((long) at)));
        of(n -> filled(new io.netty.util.collection.IntObjectHashMap<String>(), n, (to, at) -> to.put((int) at, text(at))));
        of(n -> filled(new org.agrona.collections.Int2ObjectHashMap<String>(), n, (to, at) -> to.put((int) at, text(at))));
        of(n -> filled(new org.agrona.collections.IntArrayList(), n, (to, at) -> to.addInt(at)));
        of(n -> filled(new org.eclipse.collections.impl.list.mutable.FastList<String>(), n, (to, at) -> to.add(text(at))));
        of(n -> filled(new org.eclipse.collections.impl.list.mutable.primitive.IntArrayList(), n, (to, at) -> to.add(at)));
        of(n -> filled(new scala.collection.mutable.ArrayBuffer<String>(), n, (to, at) -> to.addOne(text(at))));
        of(n -> filled(new scala.collection.mutable.HashMap<String, String>(), n, (to, at) -> to.put(text(at), text(-at))));
        of(n -> filled(new scala.collection.mutable.HashSet<String>(), n, (to, at) -> to.add(text(at))));
        of(n -> filled(new scala.collection.mutable.LinkedHashMap<String, String>(), n, (to, at) -> to.put(text(at), text(-at))));
        of(n -> filled(new scala.collection.mutable.LinkedHashSet<String>(), n, (to, at) -> to.add(text(at))));
        of(n -> filled(new kotlin.collections.ArrayDeque<String>(), n, (to, at) -> to.add(text(at))));
        of(n -> {
            // One entry makes a list of another class.
            ArrayList<String> texts = filled(new ArrayList<>(), n + 1, (to, at) -> to.add(text(at)));
            return ImmutableList.copyOf(texts);
        }, 100);
        // The same elements to all, in vectors of one to four levels.
        for (int size : new int[] {32, 1000, 1100, 40_000}) {
            scala.collection.mutable.Builder<String, scala.collection.immutable.Vector<String>> made =
                scala.collection.immutable.Vector$.MODULE$.newBuilder();
            for (int at = 0; at < size; at++) {
                made.addOne(text(at));
            }
            Object vector = made.result();
            held.add(vector);
            said.append(vector.getClass().getName()).append(' ').append(size).append('\n');
        }
        Layouts.write(arguments[0]);
        System.out.print(said);
    }
}
