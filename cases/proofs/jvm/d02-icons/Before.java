package d02.icons;

import java.util.ArrayList;
import java.util.List;
import lib.Random;
import lib.Service;

record Product(String name, byte[] icon) {}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Product> load(Random random, int count) {
        byte[][] icons = new byte[count / 100 + 1][];
        for (int icon = 0; icon < icons.length; icon++) {
            icons[icon] = random.bytes(random.integer(150, 400));
        }
        List<Product> products = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            byte[] icon = random.pick(icons);
            products.add(new Product("product " + id, icon.clone()));
        }
        return products;
    }
}
