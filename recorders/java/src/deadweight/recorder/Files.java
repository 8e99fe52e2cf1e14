package deadweight.recorder;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Files of a capture: private, and never seen half-written under their final name. */
final class Files {
    private Files() {}

    /** Makes the capture's directory, with the first free number from {@code number} on. */
    static File makeDirectory(Settings settings, int number) throws IOException {
        makeParents(settings.directory);
        for (int n = number; n < number + 10000; n++) {
            File directory =
                    new File(settings.directory, settings.program + "-" + settings.pid + "-" + n + ".deadweight");
            try {
                makePrivate(directory);
                return directory;
            } catch (FileAlreadyExistsException taken) {
                continue;
            }
        }
        throw new IOException("too many captures in " + settings.directory);
    }

    private static void makeParents(File directory) throws IOException {
        if (directory.isDirectory()) {
            return;
        }
        makeParents(directory.getParentFile());
        try {
            makePrivate(directory);
        } catch (FileAlreadyExistsException made) {
            // Another process was faster.
        }
    }

    private static void makePrivate(File directory) throws IOException {
        java.nio.file.Files.createDirectory(
                directory.toPath(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    static void write(File directory, String name, CharSequence text) throws IOException {
        File part = new File(directory, name + ".part");
        java.nio.file.Files.createFile(
                part.toPath(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        FileOutputStream out = new FileOutputStream(part);
        try {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            out.write('\n');
            out.getFD().sync();
        } finally {
            out.close();
        }
        if (!part.renameTo(new File(directory, name))) {
            throw new IOException(part + " cannot be renamed");
        }
    }

    static void remove(File directory) {
        File[] files = directory.listFiles();
        if (files != null) {
            for (File file : files) {
                file.delete();
            }
        }
        directory.delete();
    }

    /** A line for who started the program, if anyone listens. */
    static void note(String journal, String line) {
        if (journal == null) {
            return;
        }
        try {
            FileOutputStream out = new FileOutputStream(journal, true);
            try {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            } finally {
                out.close();
            }
        } catch (IOException gone) {
            // Who started the program may have gone.
        }
    }

    /** A line on standard error, past whatever the program has made of System.err. */
    static void say(String what, Throwable error) {
        try {
            String text = "deadweight: " + what + (error == null ? "" : ": " + error) + "\n";
            new FileOutputStream(FileDescriptor.err).write(text.getBytes(StandardCharsets.UTF_8));
        } catch (Throwable nobodyListens) {
            // The program goes on.
        }
    }

    static long pid() {
        try {
            return Long.parseLong(new File("/proc/self").getCanonicalFile().getName());
        } catch (IOException | NumberFormatException none) {
            return 0;
        }
    }

    /** A line of the process's status, in bytes; 0 where the system does not tell. */
    static long memory(String name) {
        try {
            BufferedReader status =
                    new BufferedReader(new InputStreamReader(new FileInputStream("/proc/self/status"), "US-ASCII"));
            try {
                for (String line = status.readLine(); line != null; line = status.readLine()) {
                    if (line.startsWith(name + ":")) {
                        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                    }
                }
            } finally {
                status.close();
            }
        } catch (IOException none) {
            return 0;
        }
        return 0;
    }

    /** All of a small file, such as one of /proc, as text; empty where it cannot be read. */
    static String read(String path) {
        try {
            InputStream in = new FileInputStream(path);
            try {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                byte[] piece = new byte[4096];
                for (int n = in.read(piece); n > 0; n = in.read(piece)) {
                    all.write(piece, 0, n);
                }
                return all.toString("UTF-8");
            } finally {
                in.close();
            }
        } catch (IOException none) {
            return "";
        }
    }

    /** A value as JSON: maps, iterables, numbers, booleans and text. Entries without a value are left out. */
    static StringBuilder json(StringBuilder out, Object value) {
        if (value instanceof Map) {
            String between = "{";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                if (entry.getValue() != null) {
                    json(quote(out.append(between), entry.getKey().toString()).append(':'), entry.getValue());
                    between = ",";
                }
            }
            return out.append(between.equals("{") ? "{}" : "}");
        }
        if (value instanceof Iterable) {
            String between = "[";
            for (Object item : (Iterable<?>) value) {
                json(out.append(between), item);
                between = ",";
            }
            return out.append(between.equals("[") ? "[]" : "]");
        }
        if (value instanceof Number || value instanceof Boolean) {
            return out.append(value);
        }
        return quote(out, value.toString());
    }

    private static StringBuilder quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"');
    }
}
