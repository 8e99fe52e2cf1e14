# All specs in one program.
require "./*_spec"
