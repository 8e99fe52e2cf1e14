package d01.headers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lib.Random;
import lib.Service;

final class Response {
    private final Map<String, String> headers = new LinkedHashMap<>();

    void header(String line) {
        int colon = line.indexOf(':');
        headers.put(line.substring(0, colon).intern(), line.substring(colon + 2));
    }
}

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Service.serve(arguments, Main::load);
    }

    private static List<Response> load(Random random, int count) {
        List<Response> responses = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            Response response = new Response();
            response.header("Content-Length: " + id);
            if (random.chance(0.5)) {
                response.header("ETag: " + random.wide());
            }
            if (random.chance(0.3)) {
                response.header("X-Request-Id: " + random.wide());
            }
            responses.add(response);
        }
        return responses;
    }
}
