"""For notebooks: `%load_ext deadweight_testing.notebook`, then `%deadweight` or `%%deadweight` at the head of a cell."""

import os
import shutil
import tempfile

from . import check, recorder


def page():
    """Weighs this process, and gives the report as one page of HTML."""
    directory = tempfile.mkdtemp(prefix="deadweight-notebook-")  # 0700
    try:
        capture = recorder.take(directory, "notebook")
        target = os.path.join(directory, "report.html")
        done = check.call(["--quiet", "weigh", "--format", "html", "--output", target, capture])
        if done.returncode != 0:
            raise RuntimeError(f"deadweight could not weigh: {done.stderr.strip()}")
        with open(target, encoding="utf-8") as file:
            return file.read()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def frame(html):
    """The page in a frame of its own, whose script has no access to the notebook."""
    escaped = html.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe sandbox="allow-scripts" srcdoc="{escaped}" width="100%" height="720" style="border:0"></iframe>'


def load_ipython_extension(shell):
    from IPython.display import HTML

    def deadweight(line, cell=None):
        """Runs the cell, if there is one, and shows what the kernel holds."""
        if cell is not None:
            shell.run_cell(cell).raise_error()
        return HTML(frame(page()))

    shell.register_magic_function(deadweight, magic_kind="line_cell")
