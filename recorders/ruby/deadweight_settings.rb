# frozen_string_literal: true

module Deadweight
  # Settings from DEADWEIGHT_* environment variables; README.md lists them.
  Settings = Struct.new(
    :directory, :program, :argv, :run, :exit, :signals, :thresholds, :snapshot, :poll, :churn, :library,
    :operations, :share, :journal, :highest, :sites, keyword_init: true
  ) do
    # The settings, or nil when this process is not one to capture.
    def self.read(env)
      script = File.basename($PROGRAM_NAME)
      return nil if Deadweight::LAUNCHERS.include?(script) && env['DEADWEIGHT_LAUNCHERS'] != '1'
      return nil if Deadweight.stays_out?(env)

      items = (env['DEADWEIGHT_WHEN'] || 'exit,SIGUSR2').split(',').map(&:strip)
      new(
        directory: File.expand_path(env['DEADWEIGHT_DIR'] || '.'),
        program: Deadweight.name_of(script),
        argv: [$PROGRAM_NAME, *ARGV].map(&:dup).freeze,
        run: env['DEADWEIGHT_RUN'],
        journal: env['DEADWEIGHT_JOURNAL'],
        highest: env.fetch('DEADWEIGHT_HIGHEST', '').then { |text| text unless text.empty? },
        exit: items.include?('exit'),
        signals: items.grep(/\ASIGUSR2\z/),
        thresholds: items.filter_map { |item| item.match(/\A(rss|heap|external)>(\d+)\z/)&.captures },
        snapshot: env['DEADWEIGHT_SNAPSHOT'] != '0',
        sites: env['DEADWEIGHT_SITES'] == '1',
        poll: [env.fetch('DEADWEIGHT_POLL_MS', '250').to_i, 10].max / 1000.0,
        churn: env.fetch('DEADWEIGHT_CHURN_BYTES', '0').to_i.positive?,
        library: env['DEADWEIGHT_RUBY_LIBRARY'],
        operations: env.fetch('DEADWEIGHT_OPERATIONS', '0').to_i,
        share: env.fetch('DEADWEIGHT_CHURN_SHARE', '0').to_i.clamp(0, 1000) # of a thousand; 0 is all
      )
    end

    # For who asks for each capture itself: nothing triggers one. Every object that is made is recorded.
    def self.untriggered(**given)
      new(
        argv: [$PROGRAM_NAME, *ARGV].map(&:dup).freeze, run: nil, exit: false, signals: [], thresholds: [], snapshot: true,
        poll: 1, churn: false, library: nil, operations: 0, share: 0, sites: false,
        **given
      )
    end
  end

  # Package managers run the program as a child: their own heap is not what anyone wants weighed.
  LAUNCHERS = %w[gem bundle bundler].freeze

  def self.stays_out?(env)
    return false unless env['DEADWEIGHT_CHILDREN'] == '0'
    return true if env['DEADWEIGHT_ANCESTOR']

    ENV['DEADWEIGHT_ANCESTOR'] = Process.pid.to_s # inherited by the children, which then stay out
    false
  end

  def self.name_of(script)
    name = script.delete_suffix('.rb').gsub(/[^A-Za-z0-9._-]+/, '_').sub(/\A\.+/, '')[0, 80]
    name.empty? || name == '-e' ? 'ruby' : name
  end

  def self.fail(what, error = nil)
    warn "deadweight: #{what}#{": #{error.class}: #{error.message}" if error}"
  rescue Exception # rubocop:disable Lint/RescueException -- nobody may listen
    nil
  end
end
