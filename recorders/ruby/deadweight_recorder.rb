# frozen_string_literal: true

# Loaded before the program by RUBYOPT. Arms the triggers; whatever goes wrong, the program goes on.

# SIGUSR2 ends a process that does not know it. One that comes before the recorder is ready is taken when it is.
module Deadweight
  EARLY = [] # rubocop:disable Style/MutableConstant -- the handler adds to it
end
traps = (ENV['DEADWEIGHT_WHEN'] || 'exit,SIGUSR2').include?('SIGUSR2')
Signal.trap('USR2') { Deadweight::EARLY << true } if traps

begin
  require_relative 'deadweight_settings'
  require_relative 'deadweight_capture'
  require_relative 'deadweight_triggers'
  settings = Deadweight::Settings.read(ENV)
  Signal.trap('USR2', 'DEFAULT') if traps && settings.nil?
  Deadweight::Triggers.arm(settings)
rescue Exception => error # rubocop:disable Lint/RescueException -- also what is no StandardError must not end the program
  Signal.trap('USR2', 'DEFAULT') if traps
  warn "deadweight: the recorder is not loaded: #{error.class}: #{error.message}"
end
