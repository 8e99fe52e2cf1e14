//! What a person would call a process.

use std::path::Path;

/// The program as its command line names it, without its folder: the file behind it may be
/// the system's loader, one file for many commands, or deleted. Arguments end in zeros.
pub(super) fn of_process(command_line: &[u8], program: &Path) -> String {
    let arguments = command_line
        .split(|&byte| byte == 0)
        .filter(|argument| !argument.is_empty());
    let names = arguments.map(|argument| {
        let argument = String::from_utf8_lossy(argument).into_owned();
        let name = argument.rsplit('/').next().map(str::to_owned);
        name.filter(|name| !name.is_empty()).unwrap_or(argument)
    });
    let is_loader =
        |name: &str| name.starts_with("ld-linux") || name.starts_with("ld-musl") || name == "ld.so";
    let mut names = names.skip_while(|name| is_loader(name));
    let known = || {
        program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    names.next().unwrap_or_else(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_the_name_of_its_command_line() {
        let name = |line: &str, program: &str| of_process(line.as_bytes(), Path::new(program));
        assert_eq!(
            name("/usr/sbin/server\0-v\0", "/usr/sbin/server (deleted)"),
            "server"
        );
        assert_eq!(name("ls\0-l\0", "/bin/busybox"), "ls");
        assert_eq!(
            name("/lib64/ld-linux-x86-64.so.2\0./app\0x\0", "/lib/ld-2.36.so"),
            "app"
        );
        assert_eq!(
            name("nginx: master process /usr/sbin/nginx\0", "/usr/sbin/nginx"),
            "nginx"
        );
        assert_eq!(name("", "/bin/kthread"), "kthread");
    }
}
