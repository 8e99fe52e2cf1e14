# frozen_string_literal: true

require_relative 'testing/check'
require_relative 'testing/limits'
require_relative 'testing/posting'
require_relative 'testing/recorder'

module Deadweight
  # Limits on memory in tests. `deadweight/rspec` and `deadweight/minitest` make assertions of them.
  module Testing
    # What was measured: what the block gave, and the figures. `failure` is nil when all limits held.
    Measured = Struct.new(:value, :bytes, :external, :dead, :bytes_per_operation, :failure, keyword_init: true)

    # A limit is broken, outside of RSpec and minitest.
    class Broken < StandardError; end

    # Another measurement is under way.
    class Busy < RuntimeError; end

    @busy = false

    class << self
      # What the block holds: what came between a capture before it and one after it, with what it gives kept alive.
      def held(**limits)
        budget = Limits.held(limits)
        alone('expect_held') do |directory|
          before = Recorder.take(directory, 'before')
          value = yield
          after = Recorder.take(directory, 'after')
          checked = Check.run(directory, budget, ['--since', before, after])
          figures = checked['figures']
          Measured.new(value: value, bytes: figures['held'], external: figures['external'], dead: figures['dead'],
                       failure: Check.failure('what the block holds', checked))
        end
      end

      # What the block makes, kept or not: every object.
      def churn(operations: 1, **limits, &block)
        budget = Limits.churn(limits)
        Limits.count('operations', operations)
        alone('expect_churn') do |directory|
          value, made = Recorder.churn(directory, operations, &block)
          checked = Check.run(directory, budget, [made])
          figures = checked['figures']
          Measured.new(value: value, bytes: figures['churned'], bytes_per_operation: figures['bytes_per_operation'],
                       failure: Check.failure('what the block makes', checked))
        end
      end

      private

      # Two captures or records at a time would each see what the other one makes.
      def alone(what)
        raise Busy, "#{what}: another measurement is under way" if @busy

        @busy = true
        begin
          Dir.mktmpdir('deadweight-test-') { |directory| yield directory } # 0700
        ensure
          @busy = false
        end
      end
    end

    # The same where neither RSpec nor minitest is: raises Broken.
    def expect_held(**limits, &block)
      Testing.finish(Testing.held(**limits, &block))
    end

    def expect_churn(**limits, &block)
      Testing.finish(Testing.churn(**limits, &block))
    end

    def self.finish(measured)
      raise Broken, measured.failure if measured.failure

      measured
    end
  end
end
