# frozen_string_literal: true

require 'rspec/expectations'
require_relative 'testing'

# `expect { load_round }.to hold_at_most(bytes: '2 MB')`
RSpec::Matchers.define :hold_at_most do |**limits|
  supports_block_expectations
  match { |block| (@measured = Deadweight::Testing.held(**limits, &block)).failure.nil? }
  failure_message { @measured.failure }
  description { "hold at most #{limits}" }
end

# `expect { count_lines }.to make_at_most(bytes_per_operation: '2 kB', operations: 100)`
RSpec::Matchers.define :make_at_most do |**limits|
  supports_block_expectations
  match { |block| (@measured = Deadweight::Testing.churn(**limits, &block)).failure.nil? }
  failure_message { @measured.failure }
  description { "make at most #{limits}" }
end

module Deadweight
  # The same as calls that give what was measured: `config.include Deadweight::RSpecExpectations`.
  module RSpecExpectations
    def expect_held(**limits, &block)
      settle(Testing.held(**limits, &block))
    end

    def expect_churn(**limits, &block)
      settle(Testing.churn(**limits, &block))
    end

    private

    def settle(measured)
      RSpec::Expectations.fail_with(measured.failure) if measured.failure
      measured
    end
  end
end
