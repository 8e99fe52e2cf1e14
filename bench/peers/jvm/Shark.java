import java.io.File;
import shark.CloseableHeapGraph;
import shark.FileSourceProvider;
import shark.HprofHeapGraph;
import shark.HprofRecordTag;

/** LeakCanary's reader as a program: indexes a dump and counts its objects. */
public final class Shark {
    public static void main(String[] arguments) throws Exception {
        FileSourceProvider file = new FileSourceProvider(new File(arguments[0]));
        try (CloseableHeapGraph graph = HprofHeapGraph.Companion.openHeapGraph(
                file, null, java.util.EnumSet.allOf(HprofRecordTag.class))) {
            System.out.println(graph.getObjectCount());
        }
    }
}
