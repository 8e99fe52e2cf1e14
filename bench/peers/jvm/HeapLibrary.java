import java.io.File;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.JavaClass;

/** The heap library of NetBeans and VisualVM as a program: indexes a dump and prints its histogram. */
public final class HeapLibrary {
    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        List<JavaClass> classes = new ArrayList<>(heap.getAllClasses());
        classes.sort(Comparator.comparingLong(JavaClass::getAllInstancesSize).reversed());
        for (JavaClass of : classes.subList(0, Math.min(20, classes.size()))) {
            System.out.println(of.getInstancesCount() + " " + of.getAllInstancesSize() + " " + of.getName());
        }
    }
}
