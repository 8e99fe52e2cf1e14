# frozen_string_literal: true

# Loaded before the program by RUBYOPT. Arms the triggers; whatever goes wrong, the program goes on.

begin
  require 'objspace'
  require 'fiddle'
  require_relative 'deadweight_settings'
  require_relative 'deadweight_files'
  require_relative 'deadweight_names'
  require_relative 'deadweight_strings'
  require_relative 'deadweight_churn'
  require_relative 'deadweight_capture'
  require_relative 'deadweight_triggers'
  Deadweight::Triggers.arm(Deadweight::Settings.read(ENV))
rescue Exception => error # rubocop:disable Lint/RescueException -- also what is no StandardError must not end the program
  warn "deadweight: the recorder is not loaded: #{error.class}: #{error.message}"
end
