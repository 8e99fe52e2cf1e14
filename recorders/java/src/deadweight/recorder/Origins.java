package deadweight.recorder;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** Whose a class is, and where its source lies. */
final class Origins {
    /** Languages that keep their own library in jars: of a program in them it is what the JDK is. */
    private static final String[] LANGUAGES = {
        "kotlin.", "scala.", "groovy.", "org.codehaus.groovy.", "org.apache.groovy.", "clojure.",
    };

    private static final String[] LOGS = {
        "java.util.logging.", "org.slf4j.", "ch.qos.logback.", "org.apache.logging.log4j.", "org.apache.log4j.",
        "org.apache.commons.logging.", "org.jboss.logging.", "org.jboss.logmanager.", "org.tinylog.",
        "com.google.common.flogger.",
    };

    /** Compiles a program of source when it starts, and loads its classes. */
    private static final String LAUNCHER = "com.sun.tools.javac.launcher.";

    /** Start programs that lie elsewhere: their own classes are on the way to everything. */
    private static final String[] LAUNCHERS = {
        "org.springframework.boot.loader.", "org.apache.catalina.startup.", "org.jboss.modules.",
        "org.eclipse.equinox.launcher.", "org.codehaus.groovy.tools.", "org.apache.felix.main.", "scala.tools.nsc.",
        "clojure.main",
    };

    /** Under these names many programs of different people share the first two parts of a package. */
    private static final String[] SHARED = {"org.apache", "org.eclipse", "com.github", "io.github", "org.springframework"};

    /** Where builds and editors expect the source, below the folder of a project. */
    private static final String[] SOURCES = {
        "src/main/java", "src/main/kotlin", "src/main/scala", "src/main/groovy", "src/test/java", "src/test/kotlin",
        "src/test/scala", "src/java", "src", "java", ".",
    };

    /** From {@code target/test-classes} or {@code build/classes/java/main} so many folders lead up to the project's. */
    private static final int UP = 5;

    private final String root;
    /** Where the program's first class is, null where nobody knows. */
    private final String mainJar;

    /** What the program's classes share; null where nobody knows. */
    private final String mainPackage;

    private final Map<String, String> sources = new HashMap<String, String>();

    /** {@code runs} says whether the command is one that builds or starts other programs. */
    Origins(String root, String command, boolean runs) {
        this.root = root;
        String first = command.split(" ", 2)[0];
        String jar = first.endsWith(".jar") ? new File(first).getAbsolutePath() : null;
        String main = jar == null ? first.substring(first.lastIndexOf('/') + 1) : mainOf(jar);
        if (jar == null && !main.isEmpty()) {
            try {
                jar = path(location(Class.forName(main, false, ClassLoader.getSystemClassLoader())));
            } catch (Throwable elsewhere) {
                // Of another loader, as where a program of source is compiled when it starts.
            }
        }
        boolean isLauncher = runs || startsWith(main, LAUNCHERS);
        mainJar = isLauncher ? null : jar;
        mainPackage = isLauncher ? null : shared(main);
    }

    /** A line of what {@link Churn} writes: whose it is, whether it writes logs, the path of its source. */
    String of(Class<?> type, String file) {
        String name = type.getName();
        String logs = startsWith(name, LOGS) ? "1" : "0";
        String role = role(type, name);
        // Nobody looks for the source of what is not the program's.
        return role + '\t' + logs + '\t' + (role.equals("own") ? source(type, name, file) : "");
    }

    private String role(Class<?> type, String name) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null || loader == ClassLoader.getSystemClassLoader().getParent()) {
            return "runtime";
        }
        if (loader.getClass().getName().startsWith(LAUNCHER)) {
            return "own";
        }
        String location = location(type);
        if (location != null && location.startsWith("jrt:")) {
            return "runtime";
        }
        if (location == null) {
            // Made while the program runs: a proxy, an accessor, or all of a program of source.
            return isOfMain(name) ? "own" : "library";
        }
        if (location.contains("BOOT-INF/classes") || location.contains("WEB-INF/classes")) {
            return "own";
        }
        String path = path(location);
        if (path == null) {
            return isOfMain(name) ? "own" : "library";
        }
        if (new File(path).isDirectory()) {
            return "own";
        }
        // One jar may have the program and all that it is made of.
        if (path.equals(mainJar) && isOfMain(name)) {
            return "own";
        }
        return startsWith(name, LANGUAGES) ? "runtime" : "library";
    }

    private boolean isOfMain(String name) {
        if (mainPackage == null) {
            return false;
        }
        if (mainPackage.isEmpty()) {
            return name.indexOf('.') < 0;
        }
        return name.startsWith(mainPackage + ".");
    }

    /** The parts of a package that a program's classes share. */
    private static String shared(String main) {
        String[] parts = main.split("\\.");
        String two = parts.length > 1 ? parts[0] + "." + parts[1] : "";
        int count = 2;
        for (String start : SHARED) {
            if (two.equals(start)) {
                count = 3;
            }
        }
        StringBuilder shared = new StringBuilder();
        for (int at = 0; at < Math.min(count, parts.length - 1); at++) {
            shared.append(at == 0 ? "" : ".").append(parts[at]);
        }
        return shared.toString();
    }

    /** The first class that a jar runs; Spring's loader runs another. */
    private static String mainOf(String jar) {
        try {
            JarFile file = new JarFile(jar);
            try {
                Manifest manifest = file.getManifest();
                Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
                String start = attributes.getValue("Start-Class");
                String main = start == null ? attributes.getValue("Main-Class") : start;
                return main == null ? "" : main.trim();
            } finally {
                file.close();
            }
        } catch (IOException none) {
            return "";
        }
    }

    private static String location(Class<?> type) {
        ProtectionDomain domain = type.getProtectionDomain();
        CodeSource source = domain == null ? null : domain.getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location == null ? null : location.toString();
    }

    /** The file or folder a location names, null where it is within another. */
    private static String path(String location) {
        if (location == null || !location.startsWith("file:")) {
            return null;
        }
        try {
            return new File(new java.net.URI(location)).getAbsolutePath();
        } catch (Exception unusual) {
            return null;
        }
    }

    /** The path of the source, empty where it is not found. */
    private String source(Class<?> type, String name, String file) {
        if (file.isEmpty()) {
            return "";
        }
        // A package is a folder of the source.
        int dot = name.lastIndexOf('.');
        String inside = dot < 0 ? file : name.substring(0, dot).replace('.', '/') + '/' + file;
        String location = path(location(type));
        String key = inside + '\n' + location;
        String found = sources.get(key);
        if (found == null) {
            found = find(inside, location);
            sources.put(key, found);
        }
        return found;
    }

    private String find(String inside, String location) {
        Set<File> projects = new LinkedHashSet<File>();
        File at = location == null ? null : new File(location);
        for (int up = 0; up < UP && at != null; up++) {
            projects.add(at);
            at = at.getParentFile();
        }
        projects.add(new File(root));
        for (File project : projects) {
            for (String folder : SOURCES) {
                File source = new File(new File(project, folder), inside);
                if (source.isFile()) {
                    return source.toPath().normalize().toString();
                }
            }
        }
        return "";
    }

    private static boolean startsWith(String text, String[] starts) {
        for (String start : starts) {
            if (text.startsWith(start)) {
                return true;
            }
        }
        return false;
    }
}
