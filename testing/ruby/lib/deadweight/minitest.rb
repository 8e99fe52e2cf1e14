# frozen_string_literal: true

require 'minitest'
require_relative 'testing'

module Deadweight
  # Assertions of minitest: `include Deadweight::MinitestAssertions`.
  module MinitestAssertions
    # Gives what was measured.
    def expect_held(**limits, &block)
      measured = Testing.held(**limits, &block)
      assert(measured.failure.nil?, measured.failure)
      measured
    end

    def expect_churn(**limits, &block)
      measured = Testing.churn(**limits, &block)
      assert(measured.failure.nil?, measured.failure)
      measured
    end

    alias assert_held expect_held
    alias assert_churn expect_churn
  end
end
