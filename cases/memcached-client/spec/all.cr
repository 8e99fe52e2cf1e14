# All specs in one program.
require "./client_spec"
require "./connection_spec"
require "./faults_spec"
